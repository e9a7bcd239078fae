// The parts of the analysis panel, of which one is open.

import { get, keep, kept } from './dom';

const all = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-tab]')];

export class Tabs {
  onOpen: (name: string) => void = () => {};

  constructor() {
    for (const tab of all()) {
      tab.addEventListener('click', (event) => {
        this.open(tab.dataset.tab!);
        if (event.detail) tab.blur(); // after a click the arrow keys step through the game, not through the tabs
      });
    }
    get('tabs').addEventListener('keydown', (event) => {
      const tabs = all().filter((tab) => !tab.hidden);
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      const at = tabs.indexOf(document.activeElement as HTMLElement);
      if (!step || at < 0) return;
      const next = tabs[(at + step + tabs.length) % tabs.length];
      next.focus();
      this.open(next.dataset.tab!);
      event.preventDefault();
      event.stopPropagation();
    });
    this.restore();
  }

  /** Opens the tab that was open last; some are there only once the server has said so. */
  restore(): void {
    const wanted = kept<string>('localStorage', 'tab') ?? 'annotate';
    this.open(wanted);
    keep('localStorage', 'tab', wanted);
  }

  open(wanted: string): void {
    const name = all().some((tab) => !tab.hidden && tab.dataset.tab === wanted) ? wanted : 'annotate';
    for (const tab of all()) {
      const isOpen = tab.dataset.tab === name;
      tab.setAttribute('aria-selected', String(isOpen));
      tab.tabIndex = isOpen ? 0 : -1;
      get(`tab-${tab.dataset.tab}`).hidden = !isOpen;
    }
    keep('localStorage', 'tab', name);
    this.onOpen(name);
  }
}
