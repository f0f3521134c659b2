/** What a step of a replay says, and which hands lie open at it. */
import { t } from '../i18n/index.svelte';
import type { Step } from '../protocol/generated';
import { type Event, parse, sentence, spoken } from '../table/words';

export type Eyes = 'all' | number;

/** `?eyes=`: a seat, or all. */
export function eyesOf(text: string | null, players: number): Eyes {
  const seat = Number(text ?? Number.NaN);
  return text !== null && text !== '' && Number.isInteger(seat) && seat >= 0 && seat < players ? seat : 'all';
}

/** `?step=`, within what there is. */
export function stepOf(text: string | null, count: number): number {
  const step = Number.parseInt(text ?? '', 10);
  return Number.isNaN(step) ? 0 : Math.min(Math.max(step, 0), count - 1);
}

/** The open hands; null for those that these eyes don't see. */
export function handsOf(step: Step, eyes: Eyes): (string | null)[] {
  return step.hands.map((hand, seat) => {
    const open = eyes === 'all' || eyes === seat || step.table.phase === 'over';
    return open && hand !== '' ? hand : null;
  });
}

/** The drawn tile, where these eyes see it. */
export function drawnOf(step: Step, eyes: Eyes): { seat: number; tile: string } | null {
  const seat = step.table.turn ?? null;
  if (seat === null || step.drawn === null) return null;
  return eyes === 'all' || eyes === seat ? { seat, tile: step.drawn } : null;
}

function told(event: Event & { wild?: string }, name: (seat: number) => string, eyes: Eyes): string | null {
  const seat = event.seat ?? 0;
  switch (event.type) {
    case 'deal':
      return t('replay.say.dealt', { name: name(seat) });
    case 'ga':
      return t('replay.say.ga', { name: name(seat), n: event.value ?? 0 });
    case 'indicator':
      return t('replay.say.indicator', { tile: spoken(event.tile), wild: spoken(event.wild) });
    case 'draw': {
      if (event.tile === undefined || (eyes !== 'all' && eyes !== seat))
        return t('table.say.draw', { name: name(seat) });
      const key = event.source === 'front' ? 'replay.say.draw' : 'replay.say.drawBack';
      return t(key, { name: name(seat), tile: spoken(event.tile) });
    }
    case 'kong':
      if (event.robbed) return t('replay.say.robbed', { name: name(seat) });
  }
  return sentence(event, name, null, null);
}

/** Who did what, in the language on show. */
export function sayingOf(step: Step, name: (seat: number) => string, eyes: Eyes): string {
  const said = (step.events as unknown as Event[])
    .map((event) => told(event, name, eyes))
    .filter((text) => text !== null);
  if (step.seat !== null && step.action !== null) {
    const { verb, tiles } = parse(step.action);
    if (verb === 'pass') said.unshift(t('replay.say.pass', { name: name(step.seat) }));
    else if (verb === 'ga' && said.length === 0)
      said.push(t('replay.say.ga', { name: name(step.seat), n: tiles }));
    else if (said.length === 0)
      said.push(t('replay.say.wants', { name: name(step.seat), verb: t(`table.verb.${verb}`) }));
  }
  return said.length > 0 ? said.join(t('replay.joined')) : t('replay.say.start');
}
