/** The page's state in one place. Listeners draw; they are called once a frame, with all that has changed since the last. */

export interface Store<State extends object> {
  get(this: void): Readonly<State>;
  set(this: void, changes: Partial<State>): void;
  /** Calls `draw` now, and in each frame in which one of the keys has changed. */
  draw<Key extends keyof State>(
    this: void,
    keys: readonly Key[],
    draw: (state: Readonly<State>) => void,
  ): void;
}

export function createStore<State extends object>(first: State): Store<State> {
  let state = first;
  const listeners: { keys: ReadonlySet<PropertyKey>; draw: (state: Readonly<State>) => void }[] = [];
  let changed = new Set<PropertyKey>();

  const flush = (): void => {
    const now = changed;
    changed = new Set();
    for (const { keys, draw } of listeners) {
      if ([...now].some((key) => keys.has(key))) draw(state);
    }
  };

  return {
    get: () => state,
    set: (changes) => {
      const keys = (Object.keys(changes) as (keyof State)[]).filter((key) => changes[key] !== state[key]);
      if (keys.length === 0) return;
      state = { ...state, ...changes };
      if (changed.size === 0) requestAnimationFrame(flush);
      for (const key of keys) changed.add(key);
    },
    draw: (keys, draw) => {
      listeners.push({ keys: new Set<PropertyKey>(keys), draw });
      draw(state);
    },
  };
}
