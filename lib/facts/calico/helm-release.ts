import { gunzipSync } from 'node:zlib';
import { isRecord } from '#lib/base/records.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import { fields, numberOrNull, recordOrNull, text, textOrNull, textUpTo } from '#lib/kube/read/lenient.ts';
import { maskedData } from '#lib/text/index.ts';

/** Longest record that is unpacked. A Secret has 1 MiB at the most and templates unpack to about ten times that; larger ones could exhaust the memory. */
const largestPackedBytes = 3 * 1024 * 1024;
const largestUnpackedBytes = 32 * 1024 * 1024;

const secret = fields({ data: fields({ release: textUpTo(largestPackedBytes) }) });

const release = fields({
  name: text,
  namespace: textOrNull,
  version: numberOrNull,
  info: fields({ status: text, description: text }),
  chart: fields({ metadata: fields({ name: textOrNull, version: textOrNull }) }),
  config: recordOrNull,
  manifest: textUpTo(largestUnpackedBytes),
});

export type DecodedRelease = {
  readonly name: string;
  readonly chart: string | null;
  readonly revision: number | null;
  readonly status: string;
  /** Helm's description: `Rollback to 4`. */
  readonly description: string;
  readonly values: Record<string, unknown>;
  /** The rendered templates of the chart as YAML; null: none are recorded. */
  readonly manifest: string | null;
};

/**
 * Decodes a record of Helm: JSON, gzipped except in old records, in base64; in a Secret in base64 once more
 * (helm.sh/helm/v3/pkg/storage/driver). Null: it cannot be read.
 */
export function decodeHelmRelease(object: KubeObject): DecodedRelease | null {
  const { release: encoded } = secret.parse(object).data;
  if (encoded === null) return null;
  const text = object.kind === 'ConfigMap' ? encoded : Buffer.from(encoded, 'base64').toString('latin1');
  const packed = Buffer.from(text, 'base64');
  try {
    const isGzip = packed[0] === 0x1f && packed[1] === 0x8b;
    const json = isGzip ? gunzipSync(packed, { maxOutputLength: largestUnpackedBytes }) : packed;
    const parsed: unknown = JSON.parse(json.toString('utf8'));
    if (!isRecord(parsed)) return null;
    const { name, version, info, chart, config, manifest } = release.parse(parsed);
    const { name: chartName, version: chartVersion } = chart.metadata;
    const values = maskedData(config ?? {});
    return {
      name,
      chart: chartName === null ? null : [chartName, chartVersion].filter((one) => one !== null).join('-'),
      revision: version,
      status: info.status,
      description: info.description,
      values: isRecord(values) ? values : {},
      manifest,
    };
  } catch {
    return null;
  }
}
