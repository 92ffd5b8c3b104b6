import { gunzipSync } from 'node:zlib';
import { isRecord } from '#lib/base/records.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import { fields, numberOrNull, recordOrNull, text, textOrNull, textUpTo } from '#lib/kube/read/lenient.ts';
import { maskedData } from '#lib/text/index.ts';

/** A Secret holds 1 MiB at the most; packed templates grow about tenfold. Anything beyond is somebody's joke. */
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
  /** Helm's own words, `Rollback to 4`. */
  readonly description: string;
  readonly values: Record<string, unknown>;
  /** What Helm made of the chart's templates, YAML; null: it has none recorded. */
  readonly manifest: string | null;
};

/**
 * Helm's own storage: JSON, gzipped (older ones plain), base64, and of a Secret base64 again by the API; a ConfigMap holds texts
 * (helm.sh/helm/v3/pkg/storage/driver). Null: not readable.
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
