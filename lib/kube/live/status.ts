import { z } from 'zod';
import { visibleLine } from '#lib/text/index.ts';
import { type FieldConflict, KubeError, type KubeErrorDetail, type MissingRule } from '../error.ts';
import { undeclaredFields } from '../undeclared-fields.ts';

/** https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/status/ */
const bodySchema = z.object({
  message: z.string().nullish(),
  reason: z.string().nullish(),
  code: z.number().nullish(),
  details: z
    .object({
      name: z.string().nullish(),
      kind: z.string().nullish(),
      retryAfterSeconds: z.number().nullish(),
      causes: z
        .array(z.object({ reason: z.string().nullish(), message: z.string().nullish(), field: z.string().nullish() }))
        .nullish(),
    })
    .nullish(),
});

/** In an HTTP body, a Status has its kind; on the error channel of an exec the kind is missing. */
const statusSchema = bodySchema.extend({ kind: z.literal('Status') });

type Status = z.output<typeof bodySchema>;

/**
 * The request that was refused. `rule`: the permission that it needs; null for paths that are no resource, e.g. /version. `over`: what is known to be over of
 * its credentials.
 */
export type Request = {
  readonly rule: MissingRule | null;
  readonly path: string;
  readonly host: string;
  readonly over?: string | null;
};

export type Refusal = {
  readonly status: number;
  readonly contentType: string;
  readonly retryAfterMs: number | null;
  readonly text: string;
};

/** The Status in the body of a refusal; null if the body is something else, such as a proxy's page. */
export function parseStatus(text: string): Status | null {
  try {
    return statusSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** The error for a Status outside of an HTTP answer: in an ERROR event, or on the error channel of an exec. */
export function refusedByStatus(request: Request, status: unknown, redact: (text: string) => string): KubeError {
  const body = bodySchema.safeParse(status).data ?? {};
  const text = JSON.stringify({ ...body, kind: 'Status' });
  return refused(
    request,
    { status: body.code ?? 500, contentType: 'application/json', retryAfterMs: null, text },
    redact,
  );
}

function isNamespaceGoing(status: Status | null): boolean {
  return (status?.details?.causes ?? []).some(({ reason }) => reason === 'NamespaceTerminating');
}

/**
 * The error for an unsuccessful answer. Its sentence quotes the server's message, from which `redact` removes secrets. API servers answer with a Status;
 * proxies, load balancers and sign-in pages in front of them do not.
 */
export function refused(request: Request, refusal: Refusal, redact: (text: string) => string): KubeError {
  const status = parseStatus(refusal.text);
  const serverSays = quoted(redact(status ? (status.message ?? '') : refusal.text));
  const detail: KubeErrorDetail = {
    status: refusal.status,
    ...(refusal.retryAfterMs === null ? {} : { retryAfterMs: refusal.retryAfterMs }),
  };
  const error = (code: KubeError['code'], message: string, more: KubeErrorDetail = {}) =>
    new KubeError(code, message, { ...detail, ...more });
  const what = describe(request);
  const html = !status && /html/i.test(refusal.contentType);

  switch (refusal.status) {
    case 401:
      return error(
        'unauthorized',
        `${request.host} does not accept these credentials: ${request.over ? `${request.over}. Renew it` : 'they are wrong, expired or withdrawn. Renew them'}, or sign in again.`,
      );
    case 403:
      if (html) break;
      return error(
        'forbidden',
        `These credentials are not allowed to ${what}.${serverSays}`,
        isNamespaceGoing(status) ? { isNamespaceGoing: true } : request.rule ? { rule: request.rule } : {},
      );
    case 404:
      if (html) break;
      return status?.details?.name
        ? error(
            'not-found',
            `Cannot ${what}: there is no ${JSON.stringify(status.details.name)} among the ${status.details.kind ?? 'objects'}.`,
          )
        : error('not-served', `Cannot ${what}: this cluster does not serve that API.`);
    case 405:
      return error('unsupported', `Cannot ${what}: this cluster does not allow it.${serverSays}`);
    case 409:
      return conflict(status, what, serverSays, error);
    case 410:
      return error('expired', `Cannot ${what}: the version asked for is too old.${serverSays}`);
    case 429:
      return error('too-many-requests', `${request.host} is overloaded and asks to come back later.`);
    case 400:
    case 413:
    case 415:
    case 422:
      if (html) break;
      return error('invalid', `Cannot ${what}: the API server finds the request invalid.${serverSays}`, {
        fields: invalidFields(status, redact),
      });
    default:
      break;
  }
  if (isUndeclaredField(refusal.status, status)) {
    return error('invalid', `Cannot ${what}: the API server finds the request invalid.${serverSays}`, {
      fields: invalidFields(status, redact),
    });
  }
  if (refusal.status === 503 && !html && isAggregationFailure(status?.message ?? refusal.text)) {
    if (request.rule?.subresource === 'proxy')
      return error('unreachable', `Cannot ${what}: nothing answers there.${serverSays}`);
    return error('not-served', `Cannot ${what}: the server of that API does not answer.${serverSays}`);
  }
  if (html && refusal.status >= 502 && refusal.status <= 504) {
    return error(
      'server',
      `A proxy at ${request.host} answers with a web page (${refusal.status}): the API server behind it does not answer.`,
    );
  }
  if (html || refusal.status < 500) {
    return error(
      'protocol',
      `${request.host} is not an API server: it answered with status ${refusal.status}${html ? ' and a web page' : ''}.`,
    );
  }
  return error('server', `${request.host} could not ${what} (${refusal.status}).${serverSays}`);
}

function conflict(
  status: Status | null,
  what: string,
  serverSays: string,
  error: (code: KubeError['code'], message: string, more?: KubeErrorDetail) => KubeError,
): KubeError {
  if (status?.reason === 'AlreadyExists') return error('already-exists', `Cannot ${what}: it exists already.`);
  const conflicts = (status?.details?.causes ?? []).flatMap((cause): FieldConflict[] =>
    cause.reason === 'FieldManagerConflict'
      ? [{ manager: managerOf(cause.message ?? ''), field: cause.field ?? '' }]
      : [],
  );
  if (conflicts.length === 0)
    return error('conflict', `Cannot ${what}: the object changed after it was read.${serverSays}`);
  const managers = [...new Set(conflicts.map(({ manager }) => manager))].join(', ');
  const fields = conflicts.map(({ field }) => field).join(', ');
  return error('conflict', `Cannot ${what}: ${managers} manages ${fields}.`, { conflicts });
}

/** `conflict with "kubectl-edit" using apps/v1 at …`; Go quotes the name. */
function managerOf(message: string): string {
  const name = /^conflict with ("(?:[^"\\]|\\.)*")/.exec(message)?.[1];
  if (name === undefined) return 'another manager';
  try {
    return String(JSON.parse(name));
  } catch {
    return name.slice(1, -1);
  }
}

/** Fields from the causes, and fields that only the message names, as in strict decoding and server-side apply. Sentences quote their messages too. */
function invalidFields(status: Status | null, redact: (text: string) => string): { field: string; message: string }[] {
  const causes = (status?.details?.causes ?? []).flatMap(({ field, message }) =>
    field ? [{ field: redact(field), message: shortened(redact(message ?? '')) }] : [],
  );
  const text = redact(status?.message ?? '');
  const strict = [...text.matchAll(/(unknown|duplicate) field "([^"]+)"/g)].map(([, kind, field]) => ({
    field: field ?? '',
    message: `${kind} field`,
  }));
  return [...causes, ...strict, ...undeclaredFields(text)];
}

/** Server-side apply answers a misspelt field with 500 in some releases. */
function isUndeclaredField(status: number, body: Status | null): boolean {
  return status === 500 && /field not declared in schema|failed to create typed patch object/.test(body?.message ?? '');
}

/** Whether the text is the aggregator's for an APIService whose backend is down. An overloaded API server sends another one. */
function isAggregationFailure(text: string): boolean {
  return /^(service unavailable|error trying to reach service)/i.test(text.trim());
}

/** `patch daemonsets.apps "kube-proxy" in namespace kube-system` */
function describe({ rule, path }: Request): string {
  if (!rule) return `read ${path}`;
  const resource = `${rule.resource}${rule.subresource ? `/${rule.subresource}` : ''}${rule.group ? `.${rule.group}` : ''}`;
  return `${rule.verb} ${resource}${rule.name ? ` "${rule.name}"` : ''}${rule.namespace ? ` in namespace ${rule.namespace}` : ''}`;
}

const longestQuote = 500;

function quoted(text: string): string {
  const words = shortened(text);
  return words === '' ? '' : ` The server says: ${words}`;
}

/** A text of others in one line. */
function shortened(text: string): string {
  const plain = visibleLine(text.replace(/\s+/g, ' ').trim());
  return plain.length > longestQuote ? `${plain.slice(0, longestQuote)} …` : plain;
}
