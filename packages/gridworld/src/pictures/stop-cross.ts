/** How large the cross of what has stopped for good is, of 1 for all of it: its area goes with the share. 0 below 5 %, which is not drawn. */
export const stopCross = (share: number): number => (share >= 0.05 ? Math.sqrt(Math.min(1, share)) : 0);
