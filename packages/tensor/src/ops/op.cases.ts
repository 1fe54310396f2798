/** The cases of every op: an op without cases does not compile. */
import type { ComposedCases, OpCases } from '../testing/op-case.ts';
import { addAllCases } from './add-all/add-all.cases.ts';
import { attendedSumCases } from './attended-sum/attended-sum.cases.ts';
import { edgeDotCases } from './edge-dot/edge-dot.cases.ts';
import { binaryCases } from './elementwise/binary.cases.ts';
import { unaryCases } from './elementwise/unary.cases.ts';
import { copyCases, valueCases } from './fill/value.cases.ts';
import { gatherCases } from './gather/gather.cases.ts';
import { composedGruCases, gruCases } from './gru-cell/gru-cell.cases.ts';
import { linearCases } from './linear/linear.cases.ts';
import { matmulCases } from './matmul/matmul.cases.ts';
import { composedReduceCases, reduceCases } from './reduce/reduce.cases.ts';
import type { OpName } from './registry.ts';
import { scatterAllCases } from './scatter-all/scatter-all.cases.ts';
import { composedSegmentCases, segmentCases } from './segment/segment.cases.ts';
import { composedShapeCases, shapeCases } from './shape/shape.cases.ts';
import { composedSoftmaxCases, softmaxCases } from './softmax/softmax.cases.ts';
import { typedLinearCases } from './typed-linear/typed-linear.cases.ts';
import { weightedSumCases } from './weighted-sum/weighted-sum.cases.ts';
import { whereCases } from './where/where.cases.ts';

export const opCases: { readonly [Name in OpName]: OpCases } = {
  ...unaryCases,
  ...binaryCases,
  ...addAllCases,
  ...whereCases,
  ...valueCases,
  ...matmulCases,
  ...linearCases,
  ...reduceCases,
  ...shapeCases,
  ...softmaxCases,
  ...gatherCases,
  ...scatterAllCases,
  ...segmentCases,
  ...weightedSumCases,
  ...attendedSumCases,
  ...typedLinearCases,
  ...edgeDotCases,
  ...gruCases,
};

/** Public functions that are composed of registry ops, or copy. */
export const composedCases: Readonly<Record<string, ComposedCases>> = {
  ...composedReduceCases,
  ...composedShapeCases,
  ...composedSoftmaxCases,
  ...composedSegmentCases,
  ...composedGruCases,
  ...copyCases,
};
