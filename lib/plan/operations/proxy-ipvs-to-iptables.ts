import { names, objectId, resources } from '#lib/spec/index.ts';
import { rule } from '../access/rules.ts';
import { agentRollout } from '../agent-rollout.ts';
import { all, defineOperation, write, writeBack } from '../define-operation.ts';
import { patchAt, textAt } from '../objects/field.ts';
import { kubeProxy, kubeProxyConfigMap } from '../objects/object-refs.ts';
import { objectOf } from '../objects/objects.ts';
import type { PlanContext } from '../operation.ts';
import { itsRollout, ownField, patched, ref, rollout, sequence, undoneBy, writtenBy } from '../pins/parts.ts';
import { either, exactly, type Fits, fits, type Pattern, shortText, text } from '../pins/pattern.ts';
import { proxyDurations, proxyNeeds } from '../proxy/proxy-off.ts';
import type { Act } from '../schema/act.ts';
import type { Condition } from '../schema/condition.ts';

type Write = { act: Act; done: Condition };

const configKey = 'config.conf';
const modeLine = /^mode:.*$/m;
const markPath = ['spec', 'template', 'metadata', 'annotations', names.proxyModeAnnotation];

/** A new mark for each plan: the mark of an earlier run would restart nothing. */
function markOf(context: PlanContext): string {
  return textAt(objectOf(context.before, kubeProxy), markPath) === 'iptables' ? 'iptables-again' : 'iptables';
}

/** Adds the wait for the rollout. The mark in the template tells it from the earlier rollout, which looks complete too. */
function restart({ act, done }: Write): Write {
  return { act, done: all(done, { kind: 'rollout', target: kubeProxy }) };
}

/** kube-proxy’s configuration with another mode and nothing else changed; null if it has no line for the mode. */
function rewritten(context: PlanContext): string | null {
  const text = textAt(objectOf(context.before, kubeProxyConfigMap), ['data', configKey]);
  return text !== undefined && modeLine.test(text) ? text.replace(modeLine, 'mode: iptables') : null;
}

const byHand = `Set \`mode: iptables\` in the configuration of kube-proxy (${objectId(kubeProxyConfigMap)} has no such line here) and restart it on every node.`;

/**
 * IPVS keeps every Service address local to each node and its rules survive it: with eBPF beside it, traffic between nodes is lost (pain B3). A run
 * of its own: one change at a time.
 */
export const proxyIpvsToIptables = defineOperation({
  id: 'proxy.ipvs-to-iptables',
  title: 'Move kube-proxy from IPVS to iptables',
  why: 'eBPF cannot take over from IPVS, whose interface keeps every Service address on each node. This is a run of its own; plan eBPF again after it.',
  whenPaused: 'Some nodes may handle Services by IPVS and others by iptables: both work side by side.',
  effect: 'traffic',
  reversible: true,
  appliesTo: () => true,
  mayWrite: ({ act }) => ({
    step: either(
      { act: { kind: 'instruct', text: shortText }, done: { kind: 'all', of: [rollout(ref(kubeProxy)), ipvsGone] } },
      leftIpvs,
    ),
    undo: either(act.kind === 'instruct' ? null : () => false, undoneBy('proxy', ipvsAgain(act))),
  }),
  needs: () => [
    rule(resources.configMaps, ['get', 'patch'], {
      namespace: kubeProxyConfigMap.namespace ?? '',
      names: [kubeProxyConfigMap.name],
    }),
    ...proxyNeeds(kubeProxy),
  ],
  reads: [{ target: kubeProxyConfigMap, paths: [['data', configKey]] }],
  act: (context) => {
    const text = rewritten(context);
    if (text === null) return { kind: 'instruct', text: byHand };
    return {
      kind: 'sequence',
      steps: [
        write(kubeProxyConfigMap, { data: { [configKey]: text } }),
        restart(write(kubeProxy, patchAt(markPath, markOf(context)))),
      ],
    };
  },
  done: (context) => {
    const withoutIpvs = { kind: 'ipvs-gone', target: kubeProxy } as const;
    const rollout = { kind: 'rollout', target: kubeProxy } as const;
    if (rewritten(context) === null) return all(rollout, withoutIpvs);
    return all(write(kubeProxy, patchAt(markPath, markOf(context))).done, rollout, withoutIpvs);
  },
  /** Uses its own mark: an undo may come before the restart, when some pods may have read the new mode already. */
  undo: (context) => {
    const text = rewritten(context);
    if (text === null) return null;
    const back = { kind: 'proxy-back', target: kubeProxy } as const;
    return {
      title: 'Move kube-proxy back to IPVS',
      act: {
        kind: 'sequence',
        steps: [
          writeBack(context, kubeProxyConfigMap, { data: { [configKey]: text } }),
          restart(write(kubeProxy, patchAt(markPath, `undo-of-${markOf(context)}`))),
          restart(writeBack(context, kubeProxy, patchAt(markPath, markOf(context)))),
        ],
      },
      done: back,
      phase: 'proxy',
      ...durations(context),
    };
  },
  usualSeconds: (context) => durations(context).usualSeconds,
  deadlineSeconds: (context) => durations(context).deadlineSeconds,
});

/** kube-proxy restarts node by node, as agents do. */
function durations(context: PlanContext) {
  const proxy = proxyDurations(context);
  const agents = agentRollout(context);
  return {
    usualSeconds: proxy.usualSeconds + agents.usualSeconds,
    deadlineSeconds: proxy.deadlineSeconds + agents.deadlineSeconds,
  };
}

const ipvsGone: Pattern = { kind: 'ipvs-gone', target: ref(kubeProxy) };
const chosenMark = either('iptables', 'iptables-again');
const withMark = (mark: Pattern): Pattern => ({
  spec: { template: { metadata: { annotations: { [names.proxyModeAnnotation]: mark } } } },
});
const withConfig = (config: Pattern): Pattern => ({ data: { [configKey]: config } });

const leftIpvs: Fits = (step) => {
  const restarting = writesOf(ownField(step, 'act'))[1];
  return (
    fits(step, {
      act: sequence(
        patched(ref(kubeProxyConfigMap), withConfig(text(/^mode: iptables$/m))),
        patched(ref(kubeProxy), withMark(chosenMark), itsRollout),
      ),
      done: { kind: 'all', of: [() => true, rollout(ref(kubeProxy)), ipvsGone] },
    }) && fits(ownField(ownField(step, 'done'), 'of'), [exactly(writtenBy(restarting)), () => true, () => true])
  );
};

/** The earlier configuration is the new one with another mode. */
function ipvsAgain(act: Act): Pattern {
  const [config, restarting] = writesOf(act).map((one) => ownField(one, 'body'));
  const rewrittenNow = textAt(config, ['data', configKey]);
  const mark = textAt(restarting, markPath);
  const isEarlier: Fits = (value) =>
    typeof value === 'string' && value.replace(modeLine, 'mode: iptables') === rewrittenNow;
  return {
    act: sequence(
      patched(ref(kubeProxyConfigMap), withConfig(isEarlier)),
      patched(ref(kubeProxy), withMark(`undo-of-${mark}`), itsRollout),
      patched(ref(kubeProxy), withMark(either(null, shortText)), itsRollout),
    ),
    done: { kind: 'proxy-back', target: ref(kubeProxy) },
  };
}

function writesOf(act: unknown): unknown[] {
  const steps = ownField(act, 'steps');
  return Array.isArray(steps) ? steps.map((step: unknown) => ownField(step, 'act')) : [];
}
