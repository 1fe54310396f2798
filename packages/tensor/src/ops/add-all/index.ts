// Only the engine calls it.
export {};
