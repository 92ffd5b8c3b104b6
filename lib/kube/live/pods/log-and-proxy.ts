import { resources } from '#lib/spec/index.ts';
import { objectTime } from '../../object-time.ts';
import type { Kube, LogOptions } from '../../port.ts';
import type { Connection } from '../connection.ts';
import { parseStatus, refused } from '../status.ts';
import { invalid, objectPath, withQuery } from '../target.ts';

/** Most bytes of a log; without a limit it could exceed the memory. Beyond it, the kubelet cuts the newest lines. */
const logLimitBytes = 16 * 1024 * 1024;

/**
 * The log of a container as text, at most 16 MB unless `limitBytes` says otherwise. Rejects as every call of `Kube`, and with `invalid` for a bad
 * `sinceTime`.
 */
export async function podLogs(
  connection: Connection,
  pod: { namespace: string; name: string },
  options: LogOptions,
): Promise<string> {
  const answer = await connection.text({
    method: 'GET',
    path: withQuery(objectPath(resources.pods, pod.namespace, pod.name, 'log'), {
      container: options.container,
      sinceTime: options.sinceTime === undefined ? undefined : wholeSeconds(options.sinceTime),
      limitBytes: options.limitBytes ?? logLimitBytes,
      tailLines: options.tailLines,
      previous: options.previous,
      timestamps: options.timestamps,
    }),
    rule: { verb: 'get', group: '', resource: 'pods', subresource: 'log', namespace: pod.namespace, name: pod.name },
    accept: 'application/json, */*',
    signal: options.signal,
    timeoutMs: options.timeoutMs,
  });
  return answer.text;
}

/** metav1.Time has no fractions; rounding down never loses a line. */
function wholeSeconds(time: string): string {
  const ms = Date.parse(time);
  if (Number.isNaN(ms)) throw invalid('sinceTime', `${JSON.stringify(time)} is not an RFC 3339 time.`);
  return objectTime(ms);
}

/**
 * The pod's answer with any HTTP status. If the request does not reach the pod (no such pod, not allowed, nothing listens), the API server answers with a
 * Status object, which becomes an error.
 */
export async function podProxyGet(
  connection: Connection,
  pod: Parameters<Kube['podGet']>[0],
  options: NonNullable<Parameters<Kube['podGet']>[1]>,
): ReturnType<Kube['podGet']> {
  const target = `${pod.scheme === 'https' ? 'https:' : ''}${pod.name}:${pod.port}`;
  const [path = '', query] = pod.path.split('?', 2);
  const base = objectPath(resources.pods, pod.namespace, target, 'proxy');
  const rule = {
    verb: 'get',
    group: '',
    resource: 'pods',
    subresource: 'proxy',
    namespace: pod.namespace,
    name: pod.name,
  };
  const call = {
    method: 'GET',
    path: `${base}${path.startsWith('/') ? '' : '/'}${path}${query === undefined ? '' : `?${query}`}`,
    rule,
    accept: '*/*',
    signal: options.signal,
    timeoutMs: options.timeoutMs,
  } as const;
  const answer = await connection.raw(call);
  const { redactor, server } = connection.access;
  if (answer.status >= 400 && /json/.test(answer.contentType) && parseStatus(answer.text)) {
    const refusal = { status: answer.status, contentType: answer.contentType, retryAfterMs: null, text: answer.text };
    throw refused({ rule, path: base, host: server.host }, refusal, (text) => redactor.redact(text));
  }
  return { status: answer.status, body: answer.text };
}
