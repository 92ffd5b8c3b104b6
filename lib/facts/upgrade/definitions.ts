import { isRecord } from '#lib/base/records.ts';
import type { KubeObject, ObjectMetadata } from '#lib/kube/index.ts';
import { schemaFingerprint } from '#lib/spec/index.ts';
import { lastAppliedAnnotation } from '#lib/text/index.ts';
import { defineCollector } from '../collector.ts';
import { picked } from '../reading/query.ts';
import { definitionListing } from '../reading/sources.ts';
import type { DefinitionFact } from '../schema.ts';

const isOurs = /\.(operator\.tigera\.io|crd\.projectcalico\.org|projectcalico\.org|policy\.networking\.k8s\.io)$/;
const generatorAnnotation = 'controller-gen.kubebuilder.io/version';

/** Calico's CustomResourceDefinitions, each with a fingerprint in place of its schema, as all schemas are two megabytes (pain H1–H3). */
export const definitions = defineCollector({
  id: 'upgrade/definitions',
  provides: ['definitions'],
  reads: { definitions: picked(definitionListing, definitionFact) },
  collect: ({ definitions: { value } }) => ({ upgrade: { definitions: value } }),
});

function definitionFact(object: KubeObject | ObjectMetadata): DefinitionFact | null {
  const { name, annotations = {}, managedFields = [] } = object.metadata;
  if (name === undefined || !isOurs.test(name)) return null;
  const applied = annotations[lastAppliedAnnotation];
  return {
    name,
    fingerprint: schemaFingerprint(object) ?? '',
    generator: annotations[generatorAnnotation]?.slice(0, 100) ?? null,
    lastAppliedBytes: applied === undefined ? null : Buffer.byteLength(applied),
    writers: managedFields.flatMap(({ manager = '', operation = '', subresource, fieldsV1 }) => {
      const spec = fieldsV1?.['f:spec'];
      if (subresource || !isRecord(spec)) return [];
      const fields = Object.keys(spec).map((key) => `spec.${key.replace(/^f:/, '')}`);
      return [{ manager: String(manager), operation: String(operation), fields: fields.slice(0, 20) }];
    }),
  };
}
