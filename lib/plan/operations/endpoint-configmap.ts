import type { Fields } from '#lib/base/records.ts';
import { names, type ObjectRef, resources } from '#lib/spec/index.ts';
import { jsonText, shellLine as line } from '#lib/text/index.ts';
import { rule } from '../access/rules.ts';
import { all, defineOperation, write, writeBack } from '../define-operation.ts';
import {
  bootstrapsByItself,
  type Endpoint,
  endpointData,
  needsEndpoint,
  plannedEndpoint,
  staysAfterUndo,
} from '../endpoint.ts';
import { isFresh } from '../objects/made-here.ts';
import { endpointConfigMap } from '../objects/object-refs.ts';
import { objectOf } from '../objects/objects.ts';
import type { PlanContext, UndoDefinition } from '../operation.ts';
import {
  allOf,
  awaited,
  endpointRef,
  lastDone,
  ownField,
  patched,
  proxyBack,
  removed,
  undoneBy,
  writtenBy,
} from '../pins/parts.ts';
import { either, exactly, type Fits, fits, type Pattern, shortText } from '../pins/pattern.ts';
import { proxyDaemonSet, proxyIsOff, wasOn } from '../proxy/proxy-removal.ts';
import type { Act } from '../schema/act.ts';
import type { Condition } from '../schema/condition.ts';

/**
 * Gives Calico the API server's real address (spec › Endpoint config map), before anything else: without the service proxy, the ClusterIP that Calico
 * uses today leads nowhere.
 */
export const endpointConfigmap = defineOperation({
  id: 'endpoint.configmap',
  title: (context) => {
    const endpoint = plannedEndpoint(context);
    return endpoint
      ? `Tell Calico the API server’s real address, ${endpoint.host} ${endpoint.port === '' ? '(the port is missing)' : `port ${endpoint.port}`}`
      : 'Tell Calico the API server’s real address (none is chosen yet)';
  },
  why: (context) =>
    `eBPF takes over Services, so Calico must reach the API server without one: at an address that stays the same when API servers restart.${
      staysAfterUndo(context) ? ' An undo leaves it: eBPF was on without a service proxy, and stays so.' : ''
    }`,
  whenPaused: 'Traffic is as before.',
  effect: 'control-plane',
  reversible: true,
  appliesTo: (context) => !bootstrapsByItself(context) && needsEndpoint(context),
  mayWrite: (_operation, { endpoint }) => {
    const chosen = endpoint === undefined ? someEndpoint : endpointData(endpoint);
    return {
      step: either(
        { act: { kind: 'instruct', text: shortText }, done: { kind: 'check-passes', check: 'endpoint.present' } },
        given(chosen),
      ),
      undo: either(
        null,
        undoneBy('endpoint', either(takenBack, awaitedBefore(takenBack)), [
          'endpoint.restart-operator',
          'endpoint.active',
        ]),
      ),
    };
  },
  needs: ({ operatorNamespace: namespace }) => [
    rule(resources.configMaps, ['create'], { namespace }),
    rule(resources.configMaps, ['get', 'patch', 'delete'], { namespace, names: [names.endpointConfigMap] }),
  ],
  reads: (context) => [{ target: endpointConfigMap(context), paths: dataPaths }],
  act: (context) => {
    const endpoint = plannedEndpoint(context);
    return endpoint ? give(context, endpoint) : { kind: 'instruct', text: chooseFirst };
  },
  done: (context) => {
    const endpoint = plannedEndpoint(context);
    return endpoint
      ? write(endpointConfigMap(context), { data: endpointData(endpoint) }).done
      : { kind: 'check-passes', check: 'endpoint.present' };
  },
  undo: (context) => {
    const endpoint = plannedEndpoint(context);
    return endpoint && !staysAfterUndo(context) ? takeBack(context, endpoint) : null;
  },
  command: (context) => {
    const endpoint = plannedEndpoint(context);
    const { namespace = '', name } = endpointConfigMap(context);
    if (endpoint === null) return `echo ${line(chooseFirst)} >&2; exit 3`;
    if (exists(context)) {
      const patch = jsonText({ data: endpointData(endpoint) });
      return line('kubectl', 'patch', 'configmap', name, '-n', namespace, '--type=merge', '-p', patch);
    }
    const literals = Object.entries(endpointData(endpoint)).map(([key, value]) => `--from-literal=${key}=${value}`);
    return line('kubectl', 'create', 'configmap', name, '-n', namespace, ...literals);
  },
});

const chooseFirst = 'Choose the address of the API server first: --endpoint HOST:PORT.';

const dataPaths = [
  ['data', names.endpointHostKey],
  ['data', names.endpointPortKey],
];

function exists(context: PlanContext): boolean {
  return Boolean(objectOf(context.before, endpointConfigMap(context)));
}

function give(context: PlanContext, endpoint: Endpoint): Act {
  const target = endpointConfigMap(context);
  const data = endpointData(endpoint);
  return exists(context)
    ? { kind: 'merge-patch', target, body: { data } }
    : {
        kind: 'apply',
        target,
        body: {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: target.name, namespace: target.namespace },
          data,
        },
        force: false,
      };
}

/**
 * Undone only when nothing depends on the address any more. The order of the undo ensures that if the plan started without eBPF and with the proxy;
 * otherwise the undo waits for it here.
 */
function takeBack(context: PlanContext, endpoint: Endpoint): UndoDefinition {
  const target = endpointConfigMap(context);
  const body = { data: endpointData(endpoint) };
  const back: { act: Act; done: Condition } = exists(context)
    ? writeBack(context, target, body)
    : { act: { kind: 'delete', target, propagation: 'Background' }, done: { kind: 'absent', target } };
  const awaited = mayDepend(context) ? standIns(context) : [];
  return {
    title: exists(context)
      ? 'Give Calico its earlier address of the API server back'
      : 'Remove the API server’s address again',
    act:
      awaited.length === 0
        ? back.act
        : { kind: 'sequence', steps: [{ act: { kind: 'wait' }, done: all(...awaited) }, back] },
    done: back.done,
    phase: 'endpoint',
    pulls: ['endpoint.restart-operator', 'endpoint.active'],
    deadlineSeconds: 600,
  };
}

function mayDepend(context: PlanContext): boolean {
  // By then nothing of Calico is left.
  if (isFresh(context)) return false;
  const { actual } = context.facts.installation.dataplane;
  return (actual !== 'Iptables' && actual !== 'Nftables') || proxyIsOff(context);
}

/** What connects Calico to the API server without this address. eBPF that was on before the plan stays on after its undo, so its end is not awaited. */
function standIns(context: PlanContext): Condition[] {
  const proxy: Condition = { kind: 'proxy-back', target: proxyDaemonSet(context) };
  if (!wasOn(context)) return [{ kind: 'bpf-inactive' }, proxy];
  return proxyIsOff(context) ? [] : [proxy];
}

const someEndpoint: Pattern = { [names.endpointHostKey]: shortText, [names.endpointPortKey]: shortText };

/** In the existing ConfigMap, or in one that is created for it. */
function given(data: Pattern): Fits {
  return either(patched(endpointRef, { data }), (step) => {
    if (ownField(ownField(step, 'act'), 'kind') !== 'apply') return false;
    const { target, body } = ownField(step, 'act') as { target: ObjectRef; body: Fields };
    const metadata = { name: names.endpointConfigMap, namespace: target.namespace };
    return fits(step, {
      act: {
        kind: 'apply',
        target: endpointRef,
        body: { apiVersion: 'v1', kind: 'ConfigMap', metadata, data },
        force: false,
      },
      done: exactly(writtenBy({ target, body: { data: body.data } })),
    });
  });
}

const earlierText = either(null, shortText);
const takenBack = either(
  patched(endpointRef, { data: { [names.endpointHostKey]: earlierText, [names.endpointPortKey]: earlierText } }),
  removed(endpointRef, 'Background'),
);

/** `standIns`: eBPF that was off is off again, or the proxy is back; or both. */
function awaitedBefore(back: Fits): Fits {
  const standIn = either(allOf({ kind: 'bpf-inactive' }, proxyBack), proxyBack);
  return (step) =>
    fits(ownField(step, 'act'), { kind: 'sequence', steps: [awaited(standIn), back] }) &&
    fits(ownField(step, 'done'), exactly(lastDone(ownField(step, 'act'))));
}
