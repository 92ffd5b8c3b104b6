import type { KubeObject } from '../../object.ts';
import { typeOf } from './atom.ts';
import { builtinDefaults } from './builtin-defaults.ts';
import { builtinDefinitions, builtinTypeName } from './builtin-definitions.ts';
import { type KindSchema, schemaless } from './kind-schema.ts';
import { type Findings, normalize } from './normalize.ts';
import type { Schema } from './schema.ts';
import { workloadProblems } from './workload-problems.ts';

const workloads = new Set(['apps/DaemonSet', 'apps/Deployment', 'apps/ReplicaSet', 'apps/StatefulSet']);

const cache = new Map<string, KindSchema>();

/**
 * The schema of a built-in kind. Types of values are checked, and some more in workloads; most of the server's validation is not modelled.
 */
export function builtinSchema(group: string, kind: string): KindSchema {
  const key = `${group}/${kind}`;
  const known = cache.get(key);
  if (known) return known;
  const name = builtinTypeName(group, kind);
  const made = name === undefined ? schemaless : schemaOf(key, { ref: name });
  cache.set(key, made);
  return made;
}

function schemaOf(key: string, schema: Schema): KindSchema {
  return {
    type: typeOf(schema, builtinDefinitions),
    decode: (object) => {
      const found: Findings = { unknown: [], wrong: [] };
      const { apiVersion, kind } = object;
      const { apiVersion: _, kind: __, ...rest } = normalize(object, schema, builtinDefinitions, found) as KubeObject;
      return { object: { apiVersion, kind, ...rest }, ...found };
    },
    setDefaults: builtinDefaults[key] ?? (() => undefined),
    problems: workloads.has(key) ? workloadProblems : () => [],
  };
}
