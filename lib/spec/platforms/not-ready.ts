/** Why a node is not Ready, by its kubelet's own word. `network`: nothing but a network is missing there. */
export type NotReady = { readonly waitsFor: 'network' | 'other'; readonly because: string };

type Condition = {
  readonly type: string;
  readonly status: string;
  readonly reason?: string | null;
  readonly message?: string | null;
};

/**
 * What kubelets say while their container runtime finds no CNI configuration (kubernetes/pkg/kubelet/runtime.go, `networkErrors`; without
 * `container` up to 1.19). With a second error beside it, the message is a list in brackets.
 */
const onlyWithoutNetwork = /^(container )?runtime network not ready: NetworkReady=false/;

/** Longer messages are cut: they stand in sentences, and nobody bounds what a node may say. */
const longest = 300;

/** From `status.conditions` of a Node; null: it is Ready. A node that does not say is not Ready for a reason that is not known. */
export function notReady(conditions: readonly Condition[]): NotReady | null {
  const ready = conditions.find(({ type }) => type === 'Ready');
  if (ready?.status === 'True') return null;
  const said = (ready?.message || ready?.reason || 'its kubelet does not say why').trim();
  const because = said.length > longest ? `${said.slice(0, longest)} …` : said;
  const isNetwork = ready?.status === 'False' && onlyWithoutNetwork.test(said);
  return { waitsFor: isNetwork ? 'network' : 'other', because };
}
