export { attendedSum } from './attended-sum.op.ts';
export type { AttendedSumOptions } from './attended-sum.op.ts';
