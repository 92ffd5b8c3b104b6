import type { LogOptions } from '#lib/kube/index.ts';
import type { LogLine } from './node-memory.ts';

/** A container's log as the kubelet serves it: `sinceTime`, then the last `tailLines`, then cut after `limitBytes`. */
export function readLog(lines: readonly LogLine[], options: LogOptions): string {
  const since = options.sinceTime === undefined ? Number.NEGATIVE_INFINITY : Date.parse(options.sinceTime);
  const recent = lines.filter(({ at }) => at >= since);
  const tail =
    options.tailLines === undefined ? recent : options.tailLines === 0 ? [] : recent.slice(-options.tailLines);
  const text = tail
    .map(
      ({ at, line }) =>
        `${options.timestamps ? `${new Date(at).toISOString().replace('Z', '000000Z')} ` : ''}${line}\n`,
    )
    .join('');
  if (options.limitBytes === undefined) return text;
  return Buffer.from(text, 'utf8').subarray(0, options.limitBytes).toString('utf8');
}
