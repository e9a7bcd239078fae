// The evaluation of a whole game as a curve that fills while the engine works, with the errors marked.

import { get, make, makeSvg } from './dom';
import type { GameNode } from './game';
import { named, t } from './language';
import { scoreText, whiteShare } from './score';

const HEIGHT = 100;

export class Graph {
  onSelect: (node: GameNode) => void = () => {};
  private box = get('graph');
  private nodes: GameNode[] = [];
  private marker?: SVGElement;
  private label = make('span', { class: 'graph-label', hidden: '' });

  constructor() {
    this.box.addEventListener('pointermove', (event) => this.hover(event));
    this.box.addEventListener('pointerleave', () => (this.label.hidden = true));
    this.box.addEventListener('click', (event) => this.onSelect(this.nodes[this.index(event)]));
  }

  /** Draws what is known of the main line. */
  render(nodes: GameNode[], current: GameNode): void {
    this.nodes = nodes;
    const known = nodes.filter((node) => node.score).length;
    this.box.hidden = nodes.length < 2 || known < 2;
    if (this.box.hidden) return;
    const last = nodes.length - 1;
    const svg = makeSvg('svg', { viewBox: `0 0 ${last} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img' });
    svg.setAttribute('aria-label', t('curveText', { known, all: nodes.length }));
    svg.dataset.known = String(known);
    svg.append(makeSvg('rect', { class: 'graph-paper', width: last, height: HEIGHT }));
    for (const piece of pieces(nodes)) {
      const points = piece.map(([x, y]) => `${x} ${y.toFixed(2)}`).join('L');
      const [from, to] = [piece[0][0], piece[piece.length - 1][0]];
      svg.append(makeSvg('rect', { class: 'graph-black', x: from, width: to - from, height: HEIGHT }));
      svg.append(makeSvg('path', { class: 'graph-white', d: `M${from} ${HEIGHT}L${points}L${to} ${HEIGHT}Z` }));
      svg.append(makeSvg('path', { class: 'graph-line', d: `M${points}` }));
    }
    svg.append(makeSvg('path', { class: 'graph-middle', d: `M0 50H${last}` }));
    this.marker = makeSvg('path', { class: 'graph-now' });
    svg.append(this.marker);
    this.box.replaceChildren(svg, ...this.marks(nodes), this.label);
    this.mark(current);
  }

  /** A point on the curve for each error: the picture is stretched, so they are not part of it. */
  private marks(nodes: GameNode[]): HTMLElement[] {
    return nodes.flatMap((node, at) => {
      if (!node.verdict?.word || !node.score) return [];
      const mark = make('i', { class: `graph-mark ${node.verdict.word.split(' ')[0]}` });
      mark.style.left = `${(100 * at) / (nodes.length - 1)}%`;
      mark.style.top = `${100 * (1 - whiteShare(node.score))}%`;
      return [mark];
    });
  }

  mark(current: GameNode): void {
    const at = this.nodes.indexOf(current);
    this.marker?.setAttribute('d', at < 0 ? '' : `M${at} 0V${HEIGHT}`);
  }

  private index(event: MouseEvent): number {
    const { left, width } = this.box.getBoundingClientRect();
    const share = Math.max(0, Math.min(1, (event.clientX - left) / width));
    return Math.round(share * (this.nodes.length - 1));
  }

  private hover(event: PointerEvent): void {
    const at = this.index(event);
    const node = this.nodes[at];
    if (!node) return;
    const word = node.verdict?.word;
    const parts = [node.uci ? `${node.number} ${node.san}` : t('start'), node.score ? scoreText(node.score) : '', word ? named(`word.${word}`, word) : node.verdict?.book ? t('bookMove') : ''];
    this.label.textContent = parts.filter(Boolean).join('  ');
    this.label.hidden = false;
    const share = at / Math.max(1, this.nodes.length - 1);
    this.label.style.left = `${100 * share}%`;
    this.label.style.transform = `translateX(${-100 * share}%)`;
  }
}

/** Runs of neighbouring positions that have a score. */
function pieces(nodes: GameNode[]): [number, number][][] {
  const found: [number, number][][] = [];
  let run: [number, number][] = [];
  for (const [at, node] of nodes.entries()) {
    if (node.score) run.push([at, HEIGHT * (1 - whiteShare(node.score))]);
    else run = [];
    if (run.length === 1) found.push(run);
  }
  return found;
}
