import type { Rate } from '../../score/rate.ts'
import { html, type Markup } from './markup.ts'

const WIDTH = 160
const HEIGHT = 24
const EDGE = 6

/** A rate on a line from 0 to 100 %, with its 95 % interval. The numbers stand beside it, so it is hidden from readers of text. */
export function intervalBar({ rate, exact }: Rate): Markup {
  const x = (share: number) => round(EDGE + share * (WIDTH - 2 * EDGE))
  const middle = HEIGHT / 2
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((at) => html`<path class="tick" d="M${x(at)} ${middle - 5}v10"/>`)
  const band = exact === null ? null : html`<path class="band" d="M${x(exact.low)} ${middle}H${x(exact.high)}"/>`
  const dot = rate === null ? null : html`<circle class="dot" cx="${x(rate)}" cy="${middle}" r="5"/>`
  return html`<svg class="interval" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" aria-hidden="true"><path class="axis" d="M${x(0)} ${middle}H${x(1)}"/>${ticks}${band}${dot}</svg>`
}

/** A share as a bar; its number stands beside it. */
export function shareBar(share: number, tone: 'pass' | 'fail' | 'plain'): Markup {
  return html`<svg class="share ${tone}" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect class="rail" width="100" height="6"/><rect class="fill" width="${round(share * 100)}" height="6"/></svg>`
}

export function round(value: number): number {
  return Math.round(value * 100) / 100
}
