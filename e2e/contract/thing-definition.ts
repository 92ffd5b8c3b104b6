import type { KubeObject } from '#lib/kube/index.ts';
import type { Resource } from '#lib/spec/index.ts';

/** A kind with every structure that server-side apply merges differently; each real kind has only some of them. */
export const things: Resource = {
  group: 'contract.signalbox.dev',
  version: 'v1',
  kind: 'Thing',
  plural: 'things',
  namespaced: true,
};

const text = { type: 'string' };
const number = { type: 'integer' };

const port = {
  type: 'object',
  required: ['port'],
  properties: {
    port: number,
    protocol: { ...text, default: 'TCP' },
    name: text,
    options: { type: 'object', properties: { a: text, b: number } },
  },
};

const spec = {
  type: 'object',
  properties: {
    text,
    number: { ...number, minimum: 0, maximum: 100 },
    mode: { ...text, enum: ['On', 'Off'], default: 'Off' },
    maybe: { ...text, nullable: true },
    port: { 'x-kubernetes-int-or-string': true },
    granular: { type: 'object', additionalProperties: text },
    atomicMap: { type: 'object', additionalProperties: text, 'x-kubernetes-map-type': 'atomic' },
    atomicStruct: { type: 'object', properties: { a: text, b: text }, 'x-kubernetes-map-type': 'atomic' },
    atomicList: { type: 'array', items: text },
    set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    numbers: { type: 'array', items: number, 'x-kubernetes-list-type': 'set' },
    ports: {
      type: 'array',
      items: port,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port', 'protocol'],
    },
    nested: {
      type: 'object',
      properties: {
        text: { ...text, default: 'deep' },
        inner: {
          type: 'object',
          properties: {
            a: text,
            b: { type: 'boolean' },
            list: { type: 'array', items: { type: 'object', properties: { x: text } } },
          },
        },
        byName: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: {
            type: 'object',
            required: ['name'],
            properties: {
              name: text,
              value: text,
              tags: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
            },
          },
        },
      },
    },
    mapOfStructs: { type: 'object', additionalProperties: { type: 'object', properties: { a: text, b: text } } },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
};

const status = {
  type: 'object',
  properties: {
    phase: text,
    count: number,
    conditions: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
      items: { type: 'object', required: ['type'], properties: { type: text, status: text } },
    },
  },
};

export const thingDefinition: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.contract.signalbox.dev' },
  spec: {
    group: things.group,
    scope: 'Namespaced',
    names: { kind: things.kind, plural: things.plural, singular: 'thing', listKind: 'ThingList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', properties: { spec, status } } },
      },
    ],
  },
};
