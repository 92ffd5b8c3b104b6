import { fileURLToPath } from 'node:url';
import { loadSync, type ServiceDefinition } from '@grpc/proto-loader';
import { releaseAtLeast } from '#lib/spec/index.ts';

/** Goldmane has two wire formats: v3.32 changed the messages of filters without changing the package name (calico.md §6.3). */
export const wireFormats = ['v3.30', 'v3.32'] as const;
export type WireFormat = (typeof wireFormats)[number];

/** The format of a release such as `v3.31.4`. A version that is no release number counts as the newest. */
export function wireFormatOf(calicoVersion: string): WireFormat {
  return releaseAtLeast(calicoVersion, 'v3.32') === 'no' ? 'v3.30' : 'v3.32';
}

const serviceNames = ['Flows', 'Statistics', 'FlowCollector'] as const;
export type Services = Readonly<Record<(typeof serviceNames)[number], ServiceDefinition>>;

/** Enough for a flow with a megabyte of labels, or a page of lists. */
export const longestMessageBytes = 32 * 1024 * 1024;

const protoFolder = fileURLToPath(new URL('proto', import.meta.url));

/** The gRPC services of a format, with their serializers. 64-bit numbers become JavaScript numbers: only byte counts beyond 2^53 lose precision. */
export function servicesOf(format: WireFormat): Services {
  const loaded = loadSync('services.proto', {
    includeDirs: [`${protoFolder}/${format}`, protoFolder],
    keepCase: true,
    longs: Number,
    defaults: true,
    arrays: true,
  });
  const service = (name: string): ServiceDefinition => {
    const found = loaded[`goldmane.${name}`];
    if (found === undefined || 'format' in found) throw new Error(`services.proto defines no service ${name}`);
    return found;
  };
  return { Flows: service('Flows'), Statistics: service('Statistics'), FlowCollector: service('FlowCollector') };
}
