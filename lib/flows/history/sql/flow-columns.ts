import { anything, fields, text, textOrNull } from '#lib/kube/read/lenient.ts';
import { type Flow, type FlowEnd, isStaged, type PolicyHit, verdicts } from '../../flow.ts';
import { endName, ownerName } from '../../query/end-names.ts';
import { pendingVerdict } from '../../query/matches-query.ts';
import { keyHash } from '../../wire/read-flow.ts';
import { between, verdictNumbers, within, withoutSeparators } from './condition.ts';
import type { KeptTable } from './schema.ts';
import type { TextIds } from './text-ids.ts';

/** The part of a flow's id that is the same in every bucket: 16 characters of base64url. */
export function hashOf(flow: Flow): string {
  return flow.id.at(-17) === '-' ? flow.id.slice(-16) : keyHash(flow);
}

/** The first 64 of the hash's 96 bits, by which rows are joined. */
export function keyOf(hash: string): bigint {
  return Buffer.from(hash, 'base64url').readBigUInt64LE(0);
}

/** The remaining 32 bits. */
const tailOf = (hash: string) => Buffer.from(hash, 'base64url').readUInt32LE(8);

function hashFrom(key: bigint, tail: number): string {
  const bytes = Buffer.alloc(12);
  bytes.writeBigUInt64LE(key, 0);
  bytes.writeUInt32LE(tail, 8);
  return bytes.toString('base64url');
}

/** A row of a tier's table, in the order of its columns. */
export function countRow(flow: Flow, key: bigint): (number | bigint)[] {
  const { bytes, packets, connections } = flow;
  return [
    flow.start,
    key,
    verdictNumbers[flow.verdict],
    1,
    BigInt(bytes.in),
    BigInt(bytes.out),
    BigInt(packets.in),
    BigInt(packets.out),
    BigInt(connections.started),
    BigInt(connections.completed),
    BigInt(connections.live),
  ];
}

/** A key's row in ClickHouse, in the order of its columns. */
export function keyRow(flow: Flow, key: bigint, hash: string): (string | number | bigint | null)[] {
  const { from, to, service, policies } = flow;
  const isStagedSomewhere = policies.pending.some(isStaged);
  return [
    key,
    verdictNumbers[flow.verdict],
    ...[from, to].flatMap(endColumns),
    service === null ? null : withoutSeparators(service.namespace ?? '-'),
    service === null ? null : withoutSeparators(service.name),
    flow.port,
    withoutSeparators(flow.protocol),
    flow.reporter,
    isStagedSomewhere ? pendingVerdict(flow) : null,
    searchable([...policies.enforced, ...policies.pending]),
    JSON.stringify({ hash, from, to, service, policies, protocol: flow.protocol }),
  ];
}

type Row = readonly [bigint, ...(string | number | bigint | null)[]];

/** A row of a table (schema.ts). `row` builds it only when needed: most flows share their texts with earlier ones. */
export type KeptRow = { readonly table: KeptTable; readonly id: bigint; row(): Row };

/** The rows of a flow in each table, with the columns in order and the id first. */
export function keptRows(flow: Flow, key: bigint, hash: string, ids: TextIds): readonly KeptRow[] {
  const { from, to, service, policies } = flow;
  const parts = [
    keptRow('ends', 'end', from, () => endColumns(from), ids),
    keptRow('ends', 'end', to, () => endColumns(to), ids),
    keptRow('policies', 'policies', policies, () => [searchable([...policies.enforced, ...policies.pending])], ids),
  ] as const;
  const [ofFrom, ofTo, ofPolicies] = parts;
  const ofService =
    service === null
      ? null
      : keptRow(
          'services',
          'service',
          service,
          () => [withoutSeparators(service.namespace ?? '-'), withoutSeparators(service.name)],
          ids,
        );
  const keyRow = (): Row => [
    key,
    tailOf(hash),
    verdictNumbers[flow.verdict],
    ofFrom.id,
    ofTo.id,
    ofService?.id ?? null,
    ofPolicies.id,
    flow.port,
    withoutSeparators(flow.protocol),
    flow.reporter,
    policies.pending.some(isStaged) ? pendingVerdict(flow) : null,
  ];
  return [{ table: 'keys', id: key, row: keyRow }, ...parts, ...(ofService === null ? [] : [ofService])];
}

const endColumns = (end: FlowEnd) => [
  withoutSeparators(end.namespace ?? '-'),
  withoutSeparators(end.name),
  withoutSeparators(end.kind === 'network' ? endName(end) : ownerName(end)),
];

/** The hash includes the kind, because one set of known keys serves all tables (known-keys.ts). */
function keptRow(table: KeptTable, kind: string, whole: object, columns: () => string[], ids: TextIds): KeptRow {
  const text = JSON.stringify(whole);
  const id = ids.of(kind + text);
  return { table, id, row: () => [id, ...columns(), text] };
}

/** All names by which a query may ask for each policy (query/matches-query.ts), with the policy's tier. */
function searchable(hits: readonly PolicyHit[]): string {
  const named = new Set<string>();
  for (const hit of hits)
    for (const { name, namespace, tier } of hit.trigger === null ? [hit] : [hit, hit.trigger]) {
      const bare = name.startsWith(`${tier}.`) ? name.slice(tier.length + 1) : name;
      for (const one of [name, bare, namespace === null ? name : `${namespace}/${name}`])
        named.add(`${withoutSeparators(hit.tier)}${within}${withoutSeparators(one)}`);
    }
  return `${between}${[...named].join(between)}${between}`;
}

const restShape = fields({
  hash: textOrNull,
  from: anything,
  to: anything,
  service: anything,
  policies: anything,
  protocol: text,
});

type Sums = { readonly [column: string]: unknown };

/** Builds a flow from a row of sums and its key. `keyRow` or `keptRows` have written its `rest`. */
export function flowOf(row: Sums): Flow {
  const number = (column: string) => Number(row[column] ?? 0);
  const { hash, ...rest } = restShape.parse(JSON.parse(String(row.rest)));
  const start = number('since');
  return {
    id: `${start.toString(36)}-${hash ?? hashFrom(BigInt(String(row.key)), number('tail'))}`,
    start,
    end: number('ended'),
    verdict: verdicts[number('verdict') - 1] ?? 'allowed',
    reporter: row.reporter === 'destination' ? 'destination' : 'source',
    // Not validated again: only this process writes the file.
    ...(rest as unknown as Pick<Flow, 'from' | 'to' | 'service' | 'policies' | 'protocol'>),
    port: number('port'),
    bytes: { in: number('bytes_in'), out: number('bytes_out') },
    packets: { in: number('packets_in'), out: number('packets_out') },
    connections: { started: number('started'), completed: number('completed'), live: number('live') },
  };
}
