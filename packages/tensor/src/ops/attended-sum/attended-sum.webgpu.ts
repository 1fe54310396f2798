import type { GpuKernelTable } from '../../backends/webgpu/kernel.ts';
import { groupsOf } from '../../backends/webgpu/kernel.ts';
import { shaders } from '../../backends/webgpu/generated/shaders.ts';
import { segmentDispatches } from '../segment/segment-dispatch.webgpu.ts';
import { slicesOfMessages } from './attended-sum-grad.op.ts';

export const attendedSumKernels = {
  attendedSum: ({ values, weights, bias, from, into, unattended }, { out }, gpu) => {
    const [width, headWidth] = [values.shape[1], bias.shape[0]];
    const inFours = headWidth % 4 === 0;
    const units = inFours ? width / 4 : width;
    for (const { lanes, shortest, longest } of segmentDispatches(into)) {
      gpu.dispatch(shaders.attendedSum, {
        buffers: {
          values: values.buffer,
          weights: weights.buffer,
          bias: bias.buffer,
          ids: from.ids.buffer,
          offsets: into.offsets.buffer,
          order: into.order.buffer,
          unattended: (unattended ?? bias).buffer,
          out: out.buffer,
        },
        params: { rows: into.rows, width, head_width: headWidth, units, shortest, longest },
        constants: { lanes, has_unattended: Number(unattended !== undefined), in_fours: Number(inFours) },
        workgroups: groupsOf(into.rows * units, 256 / lanes),
        flops: 8 * into.length * width,
      });
    }
  },
  attendedSumGrad: ({ dout, values, weights, bias, from, into }, { slopes, dweights }, gpu) => {
    const [messages, width] = slopes.shape;
    const headWidth = bias.shape[0];
    const inFours = headWidth % 4 === 0;
    const units = messages * (width / headWidth);
    // About one for two (or two fours of) columns.
    const columns = inFours ? headWidth / 4 : headWidth;
    const lanes = Math.min(16, 2 ** Math.max(0, Math.floor(Math.log2(columns / 2))));
    gpu.dispatch(shaders.attendedSumGrad, {
      buffers: {
        dout: dout.buffer,
        values: values.buffer,
        weights: weights.buffer,
        bias: bias.buffer,
        from_ids: from.ids.buffer,
        into_ids: into.ids.buffer,
        slopes: slopes.buffer,
        dweights: dweights.buffer,
      },
      params: { units, width, head_width: headWidth },
      constants: { lanes, in_fours: Number(inFours) },
      workgroups: groupsOf(units, 64 / lanes),
      flops: 12 * messages * width,
    });
  },
  attendedBiasGrad: ({ slopes, dout, bias, unattended }, { out }, gpu) => {
    const [[messages, width], [rows]] = [slopes.shape, dout.shape];
    const headWidth = bias.shape[0];
    const inFours = headWidth % 4 === 0;
    const units = inFours ? headWidth / 4 : headWidth;
    const depth = slicesOfMessages(messages, rows);
    const lanes = 16;
    gpu.dispatch(shaders.attendedBiasGrad, {
      buffers: {
        slopes: slopes.buffer,
        dout: dout.buffer,
        bias: bias.buffer,
        unattended: (unattended ?? bias).buffer,
        out: out.buffer,
      },
      params: {
        messages,
        rows,
        width,
        head_width: headWidth,
        units,
        slices: depth.slices,
        slice_messages: depth.messages,
        slice_rows: depth.rows,
      },
      constants: { lanes, has_unattended: Number(unattended !== undefined), in_fours: Number(inFours) },
      workgroups: groupsOf(depth.slices * units, 256 / lanes),
      flops: (messages + 2 * Number(unattended !== undefined) * rows) * width,
    });
  },
} satisfies Partial<GpuKernelTable>;
