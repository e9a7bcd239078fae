// Lab: trees that textbook searches walk, drawn by the server and stepped through here.

import { announce, get, make, onClick } from './dom';
import type { Desk, Mode, StepTo } from './desk';
import { language, t } from './language';

interface Step {
  kind: 'enter' | 'leaf' | 'leave' | 'note';
  node: number;
  text: string;
  value: string;
  window: string;
}

interface Drawing {
  title: string;
  summary: string;
  svg: string;
  steps: Step[];
  parents: Record<string, number>;
}

interface Offer {
  games: { name: string; spec: string; depth: number | null; summary: string; usage: string; algorithms: string[] }[];
  algorithms: { name: string; summary: string }[];
  orders: string[];
}

interface Drawn {
  id: number;
  group: Element;
  classes: string[];
  edge: Element | null;
  edgeClasses: string[];
  bar: Element | null;
  texts: Record<'value' | 'window' | 'reason' | 'order', Element | null>;
  final: { value: string; window: string };
}

const PLAY_MS = 700;
const READABLE = 0.55; // the smallest zoom at which a tree opens whole
const [LEAST_ZOOM, MOST_ZOOM] = [0.1, 4];
const DEEPEST = 100;
const FIRST_CHOICES = ['alphabeta', 'maxn', 'expectiminimax']; // where the algorithm chosen before does not fit

export class Lab implements Mode {
  readonly name = 'lab';
  private offer?: Offer;
  private drawing?: Drawing;
  private nodes: Drawn[] = [];
  private at = 0;
  private timer = 0;
  private isHere = false;
  private zoom = 1;
  private isFramed = false; // the tree stands as it was opened: nobody has zoomed or moved it

  constructor(private desk: Desk) {
    get('lab-form').addEventListener('submit', (event) => {
      event.preventDefault();
      this.draw();
    });
    get('lab-game').addEventListener('change', () => {
      this.choose();
      this.draw();
    });
    for (const id of ['lab-algorithm', 'lab-order']) get(id).addEventListener('change', () => this.draw());
    get('lab-slider').addEventListener('input', (event) => this.goTo(+(event.target as HTMLInputElement).value));
    onClick('lab-play', () => this.run(!this.timer));
    onClick('lab-first', () => this.step('first'));
    onClick('lab-back', () => this.step('back'));
    onClick('lab-next', () => this.step('next'));
    onClick('lab-last', () => this.step('last'));
    onClick('lab-fit', () => this.setZoom(this.fitting()));
    onClick('lab-smaller', () => this.setZoom(this.zoom / 1.25));
    onClick('lab-larger', () => this.setZoom(this.zoom * 1.25));
    this.bindPanning();
    new ResizeObserver(() => this.isFramed && this.frame()).observe(get('lab-tree'));
  }

  // Zooming

  /** The picture's own size, in pixels. */
  private size(): { width: number; height: number } {
    const svg = document.querySelector<SVGSVGElement>('#lab-tree svg');
    const { width, height } = svg?.viewBox.baseVal ?? { width: 0, height: 0 };
    return { width: width || 1, height: height || 1 };
  }

  /** The zoom at which the whole tree is seen. */
  private fitting(): number {
    const box = get('lab-tree');
    const { width, height } = this.size();
    return Math.min(1.6, (box.clientWidth - 8) / width, (box.clientHeight - 8) / height);
  }

  /** Zooms about a point of the frame, which stays where it is; without one, about its middle. */
  private setZoom(wanted: number, x?: number, y?: number): void {
    const box = get('lab-tree');
    const svg = box.querySelector<SVGSVGElement>('svg');
    if (!svg) return;
    this.isFramed = false;
    const zoom = Math.max(LEAST_ZOOM, Math.min(MOST_ZOOM, wanted));
    const [left, top] = [x ?? box.clientWidth / 2, y ?? box.clientHeight / 2];
    const ratio = zoom / this.zoom;
    const [scrollLeft, scrollTop] = [(box.scrollLeft + left) * ratio - left, (box.scrollTop + top) * ratio - top];
    const { width, height } = this.size();
    svg.style.width = `${width * zoom}px`;
    svg.style.height = `${height * zoom}px`;
    this.zoom = zoom;
    box.scrollLeft = scrollLeft;
    box.scrollTop = scrollTop;
    get('lab-zoom').textContent = `${Math.round(100 * zoom)} %`;
  }

  private bindPanning(): void {
    const box = get('lab-tree');
    box.addEventListener('wheel', (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const frame = box.getBoundingClientRect();
      this.setZoom(this.zoom * Math.exp(-event.deltaY / 300), event.clientX - frame.left, event.clientY - frame.top);
    }, { passive: false });
    box.addEventListener('pointerdown', (event) => {
      this.isFramed = false;
      if (event.pointerType !== 'mouse' || event.button) return;
      const [x, y, left, top] = [event.clientX, event.clientY, box.scrollLeft, box.scrollTop];
      box.setPointerCapture(event.pointerId);
      box.onpointermove = (moved) => box.scrollTo(left - moved.clientX + x, top - moved.clientY + y);
      box.onpointerup = box.onpointercancel = () => (box.onpointermove = null);
    });
  }

  /** Opens a tree whole if it can be read so, else at its root. */
  private frame(): void {
    const box = get('lab-tree');
    const svg = box.querySelector<SVGSVGElement>('svg');
    if (svg) {
      // The title stands above the picture already; without it, there is room to cut off.
      const { x, y, width, height } = svg.getBBox();
      if (width && height) svg.setAttribute('viewBox', `${x - 16} ${y - 16} ${width + 32} ${height + 32}`);
    }
    const fitting = this.fitting();
    this.zoom = 1;
    this.setZoom(fitting >= READABLE ? fitting : Math.max(READABLE, Math.min(1, (box.clientHeight - 8) / this.size().height)));
    const root = box.querySelector('.node');
    if (!root) return;
    const [place, frame] = [root.getBoundingClientRect(), box.getBoundingClientRect()];
    box.scrollTop = 0;
    box.scrollLeft += place.left + place.width / 2 - frame.left - frame.width / 2;
    this.isFramed = true;
  }

  // Choosing

  private fill(): void {
    const { games, orders } = this.offer!;
    get('lab-game').replaceChildren(...games.map((game) => make('option', { value: game.name }, `${game.name}: ${game.summary}`)));
    get('lab-order').replaceChildren(...orders.map((order) => make('option', { value: order }, order)));
    get<HTMLSelectElement>('lab-game').value = games.some((game) => game.name === 'two-ply') ? 'two-ply' : games[0].name;
    this.choose();
    get<HTMLSelectElement>('lab-algorithm').value = 'alphabeta';
  }

  private choose(): void {
    const game = this.offer!.games.find((one) => one.name === get<HTMLSelectElement>('lab-game').value)!;
    const select = get<HTMLSelectElement>('lab-algorithm');
    const wanted = select.value;
    const fitting = this.offer!.algorithms.filter((one) => game.algorithms.includes(one.name));
    select.replaceChildren(...fitting.map((one) => make('option', { value: one.name }, `${one.name}: ${one.summary}`)));
    select.value = [wanted, ...FIRST_CHOICES].find((name) => game.algorithms.includes(name)) ?? fitting[0].name;
    get<HTMLInputElement>('lab-spec').value = game.spec;
    get('lab-usage').textContent = game.usage === game.spec ? '' : t('labUsage', { usage: game.usage });
    get<HTMLInputElement>('lab-depth').value = game.depth === null ? '' : String(game.depth);
  }

  private draw(): void {
    if (!this.offer || !this.desk.link.isOpen) return;
    const field = get<HTMLInputElement>('lab-depth');
    const typed = field.value.trim();
    const depth = ['end', t('toTheEnd')].includes(typed.toLowerCase()) ? '' : typed;
    const isRight = depth === '' || (/^\d+$/.test(depth) && +depth <= DEEPEST);
    field.setAttribute('aria-invalid', String(!isRight));
    if (!isRight) {
      get('lab-status').textContent = t('labDepthWrong', { most: DEEPEST, text: depth });
      return field.focus();
    }
    get('lab-status').textContent = t('drawing');
    const body = {
      algorithm: get<HTMLSelectElement>('lab-algorithm').value,
      game: get<HTMLInputElement>('lab-spec').value.trim(),
      order: get<HTMLSelectElement>('lab-order').value,
      depth: depth === '' ? null : +depth,
      language,
    };
    this.desk.link.ask('draw', body, (message) => this.show(message as unknown as Drawing), (text) => (get('lab-status').textContent = text));
  }

  // Drawing

  private show(drawing: Drawing): void {
    this.run(false);
    this.drawing = drawing;
    get('lab-status').textContent = `${drawing.title}: ${drawing.summary}`;
    const svg = readSvg(drawing.svg);
    get('lab-tree').replaceChildren(svg);
    this.paint();
    this.frame();
    this.nodes = [...svg.querySelectorAll('.node')].map((group) => {
      const id = +group.id.slice(1);
      const edge = svg.querySelector(`#e${id}`);
      const texts = {
        value: group.querySelector('.value'),
        window: group.querySelector('.window'),
        reason: group.querySelector('.reason'),
        order: group.querySelector('.order'),
      };
      return {
        id,
        group,
        classes: [...group.classList],
        edge,
        edgeClasses: [...(edge?.classList ?? [])],
        bar: svg.querySelector(`#b${id}`),
        texts,
        final: { value: texts.value?.textContent ?? '', window: texts.window?.textContent ?? '' },
      };
    });
    const log = get('lab-log');
    log.replaceChildren(
      ...drawing.steps.map((step, i) => {
        const button = make('button', { type: 'button', class: step.kind }, step.text);
        button.addEventListener('click', () => this.goTo(i + 1));
        return make('li', {}, button);
      }),
    );
    get<HTMLInputElement>('lab-slider').max = String(drawing.steps.length);
    this.goTo(drawing.steps.length);
  }

  /** The drawing has its own light and dark; it follows the page. */
  paint(): void {
    const tree = document.querySelector<SVGElement>('#lab-tree .tree');
    if (tree) tree.dataset.theme = document.documentElement.dataset.theme;
  }

  private goTo(wanted: number): void {
    if (!this.drawing) return;
    const { steps, parents } = this.drawing;
    this.at = Math.max(0, Math.min(steps.length, wanted));
    const isDone = this.at === steps.length;
    const known = new Map<number, { value: string; window: string }>();
    const left = new Set<number>();
    for (const step of steps.slice(0, this.at)) {
      const facts = known.get(step.node) ?? { value: '', window: '' };
      if (step.kind === 'enter') {
        facts.value = '';
        left.delete(step.node);
      } else if (step.kind === 'leave') left.add(step.node);
      facts.value = step.value || facts.value;
      facts.window = step.window || facts.window;
      known.set(step.node, facts);
    }
    const now = this.at && !isDone ? steps[this.at - 1].node : -1;
    const path = new Set<number>();
    for (let id: number | undefined = now; id !== undefined && id >= 0; id = parents[id]) path.add(id);
    for (const node of this.nodes) {
      const isPruned = node.classes.includes('pruned');
      const isSettled = isDone || (isPruned && this.isAbandoned(node.id, left));
      const facts = known.get(node.id);
      const isSeen = !!facts || isSettled;
      const keepClass = (name: string): boolean => isDone || (name !== 'principal' && (name !== 'pruned' || isSettled));
      node.group.setAttribute('class', [...node.classes.filter(keepClass), isSeen ? '' : 'future', node.id === now ? 'now' : ''].join(' '));
      node.edge?.setAttribute('class', [...node.edgeClasses.filter(keepClass), isSeen ? '' : 'future', path.has(node.id) ? 'active' : ''].join(' '));
      node.bar?.classList.toggle('unseen', !isSettled);
      node.texts.reason?.classList.toggle('unseen', !isDone && !left.has(node.id));
      node.texts.order?.classList.toggle('unseen', !isDone && !facts);
      const isInner = !node.classes.includes('leaf') && !isPruned;
      if (node.texts.value && isInner) node.texts.value.textContent = isDone ? node.final.value : (facts?.value ?? '');
      if (node.texts.window) node.texts.window.textContent = isDone ? node.final.window : (facts?.window ?? '');
    }
    this.renderPlace(isDone, steps);
  }

  /** Whether the search has turned its back on a pruned branch: the node it hangs on was left. */
  private isAbandoned(id: number, left: Set<number>): boolean {
    const { parents } = this.drawing!;
    const pruned = new Set(this.nodes.filter((node) => node.classes.includes('pruned')).map((node) => node.id));
    let above: number | undefined = parents[id];
    while (above !== undefined && pruned.has(above)) above = parents[above];
    return above !== undefined && left.has(above);
  }

  private renderPlace(isDone: boolean, steps: Step[]): void {
    get<HTMLInputElement>('lab-slider').value = String(this.at);
    get('lab-count').textContent = `${this.at} / ${steps.length}`;
    get('lab-caption').textContent = isDone ? t('wholeSearch') : this.at ? steps[this.at - 1].text : t('beforeSearch');
    const log = get('lab-log');
    log.querySelector('[aria-current]')?.removeAttribute('aria-current');
    const item = log.children[this.at - 1] as HTMLElement | undefined;
    item?.firstElementChild?.setAttribute('aria-current', 'true');
    if (item) log.scrollTop = item.offsetTop - log.offsetTop - log.clientHeight / 2;
    const now = document.querySelector('#lab-tree .node.now');
    if (now) {
      const box = get('lab-tree');
      const [place, frame] = [now.getBoundingClientRect(), box.getBoundingClientRect()];
      if (place.left < frame.left + 20 || place.right > frame.right - 20) box.scrollLeft += place.left - frame.left - frame.width / 2;
      if (place.top < frame.top + 20 || place.bottom > frame.bottom - 20) box.scrollTop += place.top - frame.top - frame.height / 2;
    }
  }

  private run(isOn: boolean): void {
    clearInterval(this.timer);
    this.timer = 0;
    if (isOn && this.drawing) {
      if (this.at === this.drawing.steps.length) this.goTo(0);
      this.timer = window.setInterval(() => (this.at < this.drawing!.steps.length ? this.goTo(this.at + 1) : this.run(false)), PLAY_MS);
    }
    get('lab-play').textContent = t(this.timer ? 'pause' : 'playVerb');
  }

  // As a mode

  enter(): void {
    this.isHere = true;
    this.resume();
  }

  leave(): void {
    this.isHere = false;
    this.run(false);
    this.desk.link.stop('draw');
  }

  resume(): void {
    if (!this.isHere || !this.desk.link.isOpen) return;
    if (this.offer) {
      if (!this.drawing) this.draw();
      return;
    }
    this.desk.link.ask('lab', { language }, (message) => {
      this.offer = message as unknown as Offer;
      this.fill();
      this.draw();
    });
  }

  lost(): void {
    get('lab-status').textContent = t('waitingServer');
  }

  moved(): void {}

  step(to: StepTo): void {
    this.run(false);
    const last = this.drawing?.steps.length ?? 0;
    this.goTo({ first: 0, back: this.at - 1, next: this.at + 1, last }[to]);
    announce(get('lab-caption').textContent ?? '');
  }

  flipped(): void {}

  key(key: string): boolean {
    if (key === ' ') this.run(!this.timer);
    else if (key === '+') this.setZoom(this.zoom * 1.25);
    else if (key === '-') this.setZoom(this.zoom / 1.25);
    else if (key === '0') this.setZoom(this.fitting());
    else return false;
    return true;
  }
}

/** The picture as elements. Styles in the text are against the page's policy; set by script they are not. */
function readSvg(text: string): Element {
  const quiet = text.replace(/<style>[\s\S]*?<\/style>/g, '').replaceAll(' style="', ' data-style="');
  const svg = document.importNode(new DOMParser().parseFromString(quiet, 'image/svg+xml').documentElement, true);
  for (const element of svg.querySelectorAll<SVGElement>('[data-style]')) element.style.cssText = element.dataset.style!;
  return svg;
}
