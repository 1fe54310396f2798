/** Goes through the steps of attention: by hand, by keys, or by itself. */
import { element } from './element.ts';
import type { State } from './state.ts';
import type { Store } from './store.ts';

const stepsPerSecond = 2;
/** At the end it rests for so many steps, then begins again. */
const rest = 1.5;

export function stepPlayer({ get, set, draw }: Store<State>): HTMLElement {
  const play = element('button', { type: 'button', className: 'play', onclick: () => toggle() });
  const range = element('input', { type: 'range', min: '0', step: '1', 'aria-label': 'Step of attention' });
  const label = element('span', { className: 'time' });
  const last = (): number => get().world?.steps ?? 0;
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)');

  const goTo = (time: number): void =>
    set({ time: Math.min(last(), Math.max(0, Math.round(time))), isPlaying: false });
  range.oninput = () => goTo(range.valueAsNumber);

  let before = 0;
  let clock = 0;
  const frame = (now: number): void => {
    if (!get().isPlaying) return;
    // A frame's time may lie before the press that asked for it.
    clock += (Math.max(0, now - before) / 1000) * stepsPerSecond;
    before = now;
    if (clock > last() + rest) clock = 0;
    const time = Math.min(last(), clock);
    set({ time: isCalm.matches ? Math.floor(time) : time });
    requestAnimationFrame(frame);
  };
  const toggle = (): void => {
    const { isPlaying, time } = get();
    if (isPlaying) {
      goTo(time);
      return;
    }
    clock = time >= last() ? 0 : time;
    before = performance.now();
    set({ isPlaying: true });
    requestAnimationFrame(frame);
  };

  document.addEventListener('keydown', (event) => {
    const target = event.target as HTMLElement;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (['INPUT', 'SELECT', 'TEXTAREA'].includes(target.tagName) && target !== range) return;
    const isOnButton = target.tagName === 'BUTTON' || target.tagName === 'SUMMARY';
    if (event.key === ' ' && !isOnButton) toggle();
    else if (event.key === ',') goTo(Math.ceil(get().time) - 1);
    else if (event.key === '.') goTo(Math.floor(get().time) + 1);
    else return;
    event.preventDefault();
  });

  draw(['time', 'isPlaying', 'world'], ({ time, isPlaying, world }) => {
    range.max = String(world?.steps ?? 0);
    range.value = String(Math.floor(time));
    range.setAttribute('aria-valuetext', `t = ${Math.floor(time)} of ${range.max}`);
    label.textContent = `t = ${Math.floor(time)} of ${range.max}`;
    play.classList.toggle('playing', isPlaying);
    play.setAttribute('aria-label', isPlaying ? 'Stop playing the steps' : 'Play the steps');
    play.title = 'Space plays, comma and full stop go one step back and on';
  });
  return element('div', { className: 'player', role: 'group', 'aria-label': 'Steps' }, play, range, label);
}
