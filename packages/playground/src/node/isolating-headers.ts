/** What makes a page cross-origin isolated, so that it may share memory between threads. */
export const isolatingHeaders = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
} as const;
