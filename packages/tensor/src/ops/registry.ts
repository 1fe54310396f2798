/** The registry: every op that a backend must have a kernel for. */
import type { DeviceBuffer, KernelCall, KernelTensor } from '../core/backend.ts';
import type { AttrsOf } from '../core/op.ts';
import { adamUpdateOp } from './adam/adam-update.op.ts';
import { addAllOp } from './add-all/add-all.op.ts';
import { castOp } from './cast/cast.op.ts';
import { edgeDotRowsGradOp, edgeDotWeightGradOp } from './edge-dot/edge-dot-grad.op.ts';
import { edgeDotOp } from './edge-dot/edge-dot.op.ts';
import { attendedBiasGradOp, attendedSumGradOp } from './attended-sum/attended-sum-grad.op.ts';
import { attendedSumOp } from './attended-sum/attended-sum.op.ts';
import { binaryOps } from './elementwise/binary.op.ts';
import { unaryOps } from './elementwise/unary.op.ts';
import { fillOp } from './fill/fill.op.ts';
import { gatherSumOp } from './gather/gather-sum.op.ts';
import { gatherOp, scatterAddOp } from './gather/gather.op.ts';
import { gruCellGradOp, gruCellOp } from './gru-cell/gru-cell.op.ts';
import { linearOp, linearWeightGradOp } from './linear/linear.op.ts';
import { matmulOp } from './matmul/matmul.op.ts';
import { argmaxOp } from './reduce/argmax.op.ts';
import { maxOp } from './reduce/max.op.ts';
import { sumOp } from './reduce/sum.op.ts';
import { gatherPairOp } from './scatter-all/gather-pair.op.ts';
import { scatterAddAllOp } from './scatter-all/scatter-add-all.op.ts';
import { segmentMaxOp } from './segment/segment-max.op.ts';
import { segmentSoftmaxGradOp, segmentSoftmaxOp } from './segment/segment-softmax.op.ts';
import { segmentSumOp } from './segment/segment-sum.op.ts';
import { broadcastToOp } from './shape/broadcast-to.op.ts';
import { concatOp } from './shape/concat.op.ts';
import { padOp } from './shape/pad.op.ts';
import { permuteOp } from './shape/permute.op.ts';
import { sliceOp } from './shape/slice.op.ts';
import { logSoftmaxOp, softmaxOp } from './softmax/softmax.op.ts';
import { typedLinearOp, typedOuterOp } from './typed-linear/typed-linear.op.ts';
import { gatherMulOp, weightedSumOp } from './weighted-sum/weighted-sum.op.ts';
import { whereOp } from './where/where.op.ts';

export const registry = {
  ...unaryOps,
  ...binaryOps,
  addAll: addAllOp,
  where: whereOp,
  cast: castOp,
  fill: fillOp,
  matmul: matmulOp,
  linear: linearOp,
  linearWeightGrad: linearWeightGradOp,
  sum: sumOp,
  max: maxOp,
  argmax: argmaxOp,
  permute: permuteOp,
  broadcastTo: broadcastToOp,
  concat: concatOp,
  slice: sliceOp,
  pad: padOp,
  softmax: softmaxOp,
  logSoftmax: logSoftmaxOp,
  gather: gatherOp,
  scatterAdd: scatterAddOp,
  gatherSum: gatherSumOp,
  scatterAddAll: scatterAddAllOp,
  gatherPair: gatherPairOp,
  segmentSum: segmentSumOp,
  segmentMax: segmentMaxOp,
  segmentSoftmax: segmentSoftmaxOp,
  segmentSoftmaxGrad: segmentSoftmaxGradOp,
  weightedSum: weightedSumOp,
  gatherMul: gatherMulOp,
  attendedSum: attendedSumOp,
  attendedSumGrad: attendedSumGradOp,
  attendedBiasGrad: attendedBiasGradOp,
  typedLinear: typedLinearOp,
  typedOuter: typedOuterOp,
  edgeDot: edgeDotOp,
  edgeDotRowsGrad: edgeDotRowsGradOp,
  edgeDotWeightGrad: edgeDotWeightGradOp,
  gruCell: gruCellOp,
  gruCellGrad: gruCellGradOp,
  adamUpdate: adamUpdateOp,
};

export type OpName = keyof typeof registry;

/** What a backend runs for one op. */
export type Kernel<Buffer extends DeviceBuffer, Attrs> = (
  call: KernelCall<KernelTensor<Buffer>, Attrs>,
) => void;

/** A backend's kernels. An op without one does not compile. */
export type KernelTable<Buffer extends DeviceBuffer> = {
  readonly [Name in OpName]: Kernel<Buffer, AttrsOf<(typeof registry)[Name]>>;
};
