/** Why a node is not Ready, by its kubelet. `network`: only a network is missing. */
export type NotReady = { readonly waitsFor: 'network' | 'other'; readonly because: string };

type Condition = {
  readonly type: string;
  readonly status: string;
  readonly reason?: string | null;
  readonly message?: string | null;
};

/**
 * The kubelet's message while its container runtime finds no CNI configuration (kubernetes/pkg/kubelet/runtime.go, `networkErrors`; without
 * `container` up to 1.19). With a second error beside it, the message is a list in brackets.
 */
const onlyWithoutNetwork = /^(container )?runtime network not ready: NetworkReady=false/;

/** Longer messages are cut, because they are put into sentences and a node may report any length. */
const longest = 300;

/** From `status.conditions` of a Node; null: it is Ready. A node without the condition is not Ready for an unknown reason. */
export function notReady(conditions: readonly Condition[]): NotReady | null {
  const ready = conditions.find(({ type }) => type === 'Ready');
  if (ready?.status === 'True') return null;
  const message = (ready?.message || ready?.reason || 'its kubelet does not say why').trim();
  const because = message.length > longest ? `${message.slice(0, longest)} …` : message;
  const isNetwork = ready?.status === 'False' && onlyWithoutNetwork.test(message);
  return { waitsFor: isNetwork ? 'network' : 'other', because };
}
