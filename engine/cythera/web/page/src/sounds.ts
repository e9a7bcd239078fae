// Sounds, made here by the browser's synthesizer. Off unless switched on in the settings.

import { kept } from './dom';

export type Sound = 'move' | 'capture' | 'check' | 'end' | 'error' | 'low';

interface Tone {
  at: number; // seconds from now
  hertz: number;
  to?: number; // where the pitch slides
  s: number;
  gain: number;
  wave?: OscillatorType;
  noise?: boolean;
}

const TONES: Record<Sound, Tone[]> = {
  move: [{ at: 0, hertz: 260, to: 130, s: 0.07, gain: 0.5 }, { at: 0, hertz: 1600, s: 0.025, gain: 0.18, noise: true }],
  capture: [{ at: 0, hertz: 210, to: 90, s: 0.1, gain: 0.6 }, { at: 0, hertz: 2600, s: 0.05, gain: 0.4, noise: true }],
  check: [{ at: 0, hertz: 620, s: 0.08, gain: 0.3, wave: 'triangle' }, { at: 0.09, hertz: 820, s: 0.12, gain: 0.3, wave: 'triangle' }],
  end: [0, 4, 7].map((semitones, i) => ({ at: 0.11 * i, hertz: 330 * 2 ** (semitones / 12), s: 0.5, gain: 0.22, wave: 'triangle' as const })),
  error: [{ at: 0, hertz: 160, to: 120, s: 0.16, gain: 0.35, wave: 'square' }],
  low: [{ at: 0, hertz: 880, s: 0.06, gain: 0.25 }],
};

let context: AudioContext | undefined;
let isOn = kept<boolean>('localStorage', 'sounds') ?? false;

export const soundsOn = (): boolean => isOn;

export function setSounds(wanted: boolean): void {
  isOn = wanted;
  if (wanted) play('move');
}

export function play(sound: Sound): void {
  if (!isOn || !('AudioContext' in window)) return;
  context ??= new AudioContext();
  void context.resume();
  for (const tone of TONES[sound]) sounded(context, tone);
}

/** The sound of a move: what it took, whether it gives check. */
export const playMove = (san: string): void => play(/[+#]/.test(san) ? 'check' : san.includes('x') ? 'capture' : 'move');

function sounded(audio: AudioContext, tone: Tone): void {
  const start = audio.currentTime + 0.005 + tone.at;
  const envelope = audio.createGain();
  envelope.gain.setValueAtTime(0, start);
  envelope.gain.linearRampToValueAtTime(tone.gain, start + 0.004);
  envelope.gain.exponentialRampToValueAtTime(0.0008, start + tone.s);
  envelope.connect(audio.destination);
  if (tone.noise) {
    const length = Math.ceil(audio.sampleRate * tone.s);
    const buffer = audio.createBuffer(1, length, audio.sampleRate);
    const samples = buffer.getChannelData(0);
    for (let i = 0; i < length; i++) samples[i] = 2 * Math.random() - 1;
    const noise = new AudioBufferSourceNode(audio, { buffer });
    const filter = new BiquadFilterNode(audio, { type: 'bandpass', frequency: tone.hertz, Q: 1.2 });
    noise.connect(filter).connect(envelope);
    noise.start(start);
  } else {
    const oscillator = new OscillatorNode(audio, { type: tone.wave ?? 'sine', frequency: tone.hertz });
    if (tone.to) oscillator.frequency.exponentialRampToValueAtTime(tone.to, start + tone.s);
    oscillator.connect(envelope);
    oscillator.start(start);
    oscillator.stop(start + tone.s + 0.02);
  }
}
