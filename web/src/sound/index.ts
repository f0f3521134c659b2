/** Short, woody sounds made on the spot, and a voice for claims. No files. */
import { settings } from '../state/settings.svelte';

export type Sound = 'draw' | 'discard' | 'chow' | 'pong' | 'kong' | 'win' | 'turn' | 'tick' | 'deal' | 'end';

let context: AudioContext | null = null;
let noise: AudioBuffer | null = null;

/** Browsers let nothing be heard before the first touch, and phones take the sound away for a call. */
export function wakeSound(): void {
  const wake = () => {
    if (!settings.sound || typeof AudioContext === 'undefined') return;
    context ??= new AudioContext();
    if (context.state !== 'running') void context.resume().catch(() => undefined);
  };
  for (const touch of ['pointerdown', 'pointerup', 'keydown'])
    addEventListener(touch, wake, { passive: true });
}

/** A tile on wood: a burst of noise through a resonance, with a low thump under it. */
function knock(at: number, pitch: number, loud: number): void {
  if (context === null) return;
  noise ??= whiteNoise(context);
  const burst = context.createBufferSource();
  burst.buffer = noise;
  const body = context.createBiquadFilter();
  body.type = 'bandpass';
  body.frequency.value = pitch;
  body.Q.value = 5;
  burst.connect(body).connect(envelope(at, loud, 0.06));
  burst.start(at);
  burst.stop(at + 0.08);
  tone(at, pitch / 5, loud * 0.5, 0.07, 'sine');
}

function tone(
  at: number,
  pitch: number,
  loud: number,
  seconds: number,
  shape: OscillatorType = 'triangle',
): void {
  if (context === null) return;
  const oscillator = context.createOscillator();
  oscillator.type = shape;
  oscillator.frequency.value = pitch;
  oscillator.connect(envelope(at, loud, seconds));
  oscillator.start(at);
  oscillator.stop(at + seconds + 0.05);
}

function envelope(at: number, loud: number, seconds: number): GainNode {
  const gain = context!.createGain();
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(loud, at + 0.004);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
  gain.connect(context!.destination);
  return gain;
}

function whiteNoise(within: AudioContext): AudioBuffer {
  const buffer = within.createBuffer(1, within.sampleRate / 10, within.sampleRate);
  const data = buffer.getChannelData(0);
  for (let index = 0; index < data.length; index++) data[index] = Math.random() * 2 - 1;
  return buffer;
}

/** Knocks one after another, so many seconds apart. */
function knocks(at: number, times: number, apart: number, pitch: number, loud: number, rise = 0): void {
  for (let n = 0; n < times; n++) knock(at + n * apart, pitch + n * rise, loud);
}

function chime(at: number, pitches: number[], apart: number, loud: number): void {
  for (const [n, pitch] of pitches.entries()) tone(at + n * apart, pitch, loud, 0.5);
}

const TUNES: Record<Sound, (at: number) => void> = {
  draw: (at) => knock(at, 2600, 0.12),
  discard: (at) => knock(at, 1500, 0.4),
  chow: (at) => knocks(at, 3, 0.07, 1700, 0.35),
  pong: (at) => knocks(at, 2, 0.08, 1250, 0.5),
  kong: (at) => knocks(at, 4, 0.07, 1050, 0.5),
  win: (at) => chime(at, [523, 659, 784, 1047], 0.09, 0.22),
  turn: (at) => tone(at, 880, 0.12, 0.18),
  tick: (at) => knock(at, 3200, 0.1),
  deal: (at) => knocks(at, 4, 0.06, 2100, 0.22, 54),
  end: (at) => chime(at, [784, 587], 0.16, 0.16),
};

export function play(sound: Sound): void {
  if (!settings.sound || context === null || context.state !== 'running') return;
  TUNES[sound](context.currentTime + 0.01);
}

/** Say a claim aloud, where the browser has a Chinese voice. */
export function speak(words: string): void {
  if (!settings.sound || !settings.voice || typeof speechSynthesis === 'undefined') return;
  const voice = speechSynthesis.getVoices().find((one) => one.lang.toLowerCase().startsWith('zh'));
  if (voice === undefined) return;
  const speech = new SpeechSynthesisUtterance(words);
  speech.voice = voice;
  speech.lang = voice.lang;
  speech.rate = 1.1;
  speechSynthesis.cancel();
  speechSynthesis.speak(speech);
}
