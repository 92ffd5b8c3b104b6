import { z } from 'zod';
import type {
  ApplyOptions,
  CallOptions,
  DeleteOptions,
  KubeErrorCode,
  KubeErrorDetail,
  KubeObject,
  ListOptions,
  LogOptions,
  MissingRule,
  ObjectRef,
  Patch,
  WatchOptions,
  WriteOptions,
} from '#lib/kube/index.ts';
import type { Resource } from '#lib/spec/index.ts';

/** The fields are the store's to judge, as if the caller were in its own process. */
const object = <T extends object>() =>
  z.custom<T>((value) => typeof value === 'object' && value !== null && !Array.isArray(value));
const id = z.int();
type Pod = { namespace: string; name: string };

/**
 * Calls of the port to a cluster (lib/kube/port.ts) as lines of JSON, over the socket on which a console answers the command line of the same user.
 * Arguments are all there; a signal does not travel: `cancel` does.
 */
export const callSchema = z.discriminatedUnion('call', [
  z.object({ id, call: z.literal('get'), args: z.tuple([object<ObjectRef>(), object<CallOptions>()]) }),
  z.object({ id, call: z.literal('list'), args: z.tuple([object<Resource>(), object<ListOptions>()]) }),
  z.object({ id, call: z.literal('listMetadata'), args: z.tuple([object<Resource>(), object<ListOptions>()]) }),
  z.object({ id, call: z.literal('watch'), args: z.tuple([object<Resource>(), object<WatchOptions>()]) }),
  z.object({
    id,
    call: z.literal('create'),
    args: z.tuple([object<Resource>(), object<KubeObject>(), object<WriteOptions>()]),
  }),
  z.object({
    id,
    call: z.literal('apply'),
    args: z.tuple([object<Resource>(), object<KubeObject>(), object<ApplyOptions>()]),
  }),
  z.object({
    id,
    call: z.literal('replace'),
    args: z.tuple([object<Resource>(), object<KubeObject>(), object<WriteOptions>()]),
  }),
  z.object({
    id,
    call: z.literal('patch'),
    args: z.tuple([object<ObjectRef>(), object<Patch>(), object<WriteOptions>()]),
  }),
  z.object({ id, call: z.literal('delete'), args: z.tuple([object<ObjectRef>(), object<DeleteOptions>()]) }),
  z.object({
    id,
    call: z.literal('allowed'),
    args: z.tuple([z.array(object<MissingRule>()), object<CallOptions>()]),
  }),
  z.object({ id, call: z.literal('discover'), args: z.tuple([object<CallOptions>()]) }),
  z.object({ id, call: z.literal('version'), args: z.tuple([object<CallOptions>()]) }),
  z.object({ id, call: z.literal('logs'), args: z.tuple([object<Pod>(), object<LogOptions>()]) }),
  z.object({
    id,
    call: z.literal('podGet'),
    args: z.tuple([object<Pod & { port: number; path: string; scheme?: 'http' | 'https' }>(), object<CallOptions>()]),
  }),
  z.object({
    id,
    call: z.literal('exec'),
    args: z.tuple([object<Pod & { container: string }>(), z.array(z.string()), object<CallOptions>()]),
  }),
  z.object({ id, call: z.literal('cancel'), args: z.tuple([]) }),
]);
export type Call = z.infer<typeof callSchema>;

/** An error of the port, as it travels. */
export type SentError = { code: KubeErrorCode; message: string; detail: KubeErrorDetail };
const errorSchema = z.object({
  code: z.custom<KubeErrorCode>((value) => typeof value === 'string'),
  message: z.string(),
  detail: object<KubeErrorDetail>(),
});

/** What comes back: one item of a list or watch, the end of it, an answer, or why there is none. */
export const saidSchema = z.discriminatedUnion('what', [
  z.object({ id, what: z.literal('item'), value: z.unknown() }),
  z.object({ id, what: z.literal('end') }),
  z.object({ id, what: z.literal('answer'), value: z.unknown() }),
  z.object({ id, what: z.literal('error'), error: errorSchema }),
]);
export type Said = z.infer<typeof saidSchema>;
