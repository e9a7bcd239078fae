// Editing the tree of a game: glyphs, comments, the order of variations, and a menu on every move.

import { get, make, onClick } from './dom';
import type { GameNode } from './game';
import { named, t, type Key } from './language';
import { MOVE_NAGS, OTHER_NAGS, POSITION_NAGS, nagSign } from './nags';

export type Action = 'promote' | 'main' | 'delete' | 'deleteAfter' | 'comment' | 'copyLine' | 'undo' | 'redo';

export class Annotator {
  onNag: (nag: number) => void = () => {};
  onComment: (text: string) => void = () => {};
  onAction: (action: Action, node?: GameNode) => void = () => {};
  onSelect: (node: GameNode) => void = () => {};
  private box = get<HTMLTextAreaElement>('comment');
  private node?: GameNode;

  constructor() {
    for (const [id, nags] of [['glyphs', [...MOVE_NAGS, 7]], ['glyphs-more', [...POSITION_NAGS, ...OTHER_NAGS.slice(1)]]] as const) {
      get(id).append(...nags.map((nag) => this.glyph(nag)));
    }
    // Kept with every key: nothing typed is lost by a click elsewhere.
    this.box.addEventListener('input', () => this.onComment(this.box.value));
    this.box.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' || (event.key === 'Enter' && (event.ctrlKey || event.metaKey))) this.box.blur();
    });
    for (const action of ['promote', 'delete', 'undo', 'redo'] as const) onClick(`tree-${action}`, () => this.onAction(action));
    const menu = get('menu');
    document.addEventListener('pointerdown', (event) => !menu.contains(event.target as Node) && this.closeMenu());
    document.addEventListener('scroll', () => this.closeMenu(), true);
    menu.addEventListener('keydown', (event) => this.menuKey(event));
  }

  private glyph(nag: number): HTMLButtonElement {
    const name = named(`nag.${nag}`, `$${nag}`);
    const button = make('button', { type: 'button', class: 'glyph', 'data-nag': String(nag), title: name, 'aria-label': name, 'aria-pressed': 'false' }, nagSign(nag));
    button.addEventListener('click', () => this.onNag(nag));
    return button;
  }

  /** Shows what the current move has. */
  render(node: GameNode, canUndo: boolean, canRedo: boolean): void {
    const isOther = node !== this.node;
    this.node = node;
    for (const button of document.querySelectorAll<HTMLButtonElement>('.glyph')) {
      button.setAttribute('aria-pressed', String(node.nags.includes(+button.dataset.nag!)));
      button.disabled = !node.parent;
    }
    if (isOther || document.activeElement !== this.box) this.box.value = node.comment;
    get<HTMLButtonElement>('tree-promote').disabled = !node.branch();
    get<HTMLButtonElement>('tree-delete').disabled = !node.parent;
    get<HTMLButtonElement>('tree-undo').disabled = !canUndo;
    get<HTMLButtonElement>('tree-redo').disabled = !canRedo;
    this.renderFork(node);
  }

  /** Where the game goes on in several ways, they are buttons under the moves. */
  private renderFork(node: GameNode): void {
    get('fork').hidden = node.children.length < 2;
    get('fork').replaceChildren(
      ...(node.children.length < 2 ? [] : node.children).map((child) => {
        const button = make('button', { type: 'button' }, `${child.number} ${child.san}`);
        button.addEventListener('click', () => this.onSelect(child));
        return button;
      }),
    );
  }

  focusComment(): void {
    this.box.focus();
  }

  // The menu of a move

  menu(node: GameNode, x: number, y: number): void {
    const menu = get('menu');
    const item = (key: Key, action: Action, isOffered = true): HTMLElement[] => {
      if (!isOffered) return [];
      const button = make('button', { type: 'button', role: 'menuitem', 'data-action': action }, t(key));
      button.addEventListener('click', () => {
        this.closeMenu();
        this.onAction(action, node);
      });
      return [button];
    };
    menu.replaceChildren(
      ...item('promoteVariation', 'promote', !!node.branch()),
      ...item('makeMainLine', 'main', !!node.branch()),
      ...item('editComment', 'comment'),
      ...item('copyLine', 'copyLine'),
      ...item('deleteFromHere', 'delete'),
      ...item('deleteAfter', 'deleteAfter', node.children.length > 0),
    );
    menu.hidden = false;
    menu.style.left = `${Math.min(x, innerWidth - menu.offsetWidth - 8)}px`;
    menu.style.top = `${Math.min(y, innerHeight - menu.offsetHeight - 8)}px`;
    (menu.firstElementChild as HTMLElement).focus();
  }

  private closeMenu(): void {
    get('menu').hidden = true;
  }

  private menuKey(event: KeyboardEvent): void {
    const buttons = [...get('menu').children] as HTMLElement[];
    const at = buttons.indexOf(document.activeElement as HTMLElement);
    if (event.key === 'Escape' || event.key === 'Tab') this.closeMenu();
    else if (event.key === 'ArrowDown') buttons[(at + 1) % buttons.length].focus();
    else if (event.key === 'ArrowUp') buttons[(at - 1 + buttons.length) % buttons.length].focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
