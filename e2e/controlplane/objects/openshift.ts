import { inParallel } from '#lib/base/async/in-parallel.ts';
import { openshiftProxyDaemonSet, wantsProxy } from '#lib/sandbox/parts.ts';
import { type Api, ApiError, type KubeObject, requestsAtOnce } from '../api.ts';
import { asApplied } from './as-applied.ts';

const network = '/apis/operator.openshift.io/v1/networks/cluster';
const proxy = '/apis/apps/v1/namespaces/openshift-kube-proxy/daemonsets/openshift-kube-proxy';
const operator = '/apis/apps/v1/namespaces/tigera-operator/deployments/tigera-operator';

/** Calico's definitions, each as it stands in the release's file. */
type Definitions = () => Promise<readonly { readonly name: string; readonly text: string }[]>;

/**
 * Emulates two programs of OpenShift: its network operator, which runs kube-proxy while `deployKubeProxy` is set, and the first init container of
 * Calico's operator, which applies the CRDs that are missing from the bundle for OpenShift (calico.md §1.2).
 */
export class OpenShift {
  readonly #api: Api;
  readonly #definitions: Definitions;
  /** UID of the Deployment whose init container has applied the CRDs. */
  #brought: string | undefined;

  constructor(options: { readonly api: Api; readonly definitions: Definitions }) {
    this.#api = options.api;
    this.#definitions = options.definitions;
  }

  /** Reads the cluster once and does what is due. Rejects if the API cannot be read or written; then call it again later. */
  async tick(): Promise<void> {
    await Promise.all([this.#runProxy(), this.#bringDefinitions()]);
  }

  async #runProxy(): Promise<void> {
    const [asked, there] = await Promise.all([this.#api.get(network), this.#found(proxy)]);
    const wanted = wantsProxy(asked);
    if (wanted && there === null)
      await this.#api.apply(asApplied(openshiftProxyDaemonSet()), { manager: 'cluster-network-operator' });
    if (!wanted && there !== null) await this.#api.delete(proxy);
  }

  async #bringDefinitions(): Promise<void> {
    const deployment = await this.#found(operator);
    const uid = deployment?.metadata.uid;
    if (deployment === null || uid === this.#brought) return;
    if (!JSON.stringify(deployment.spec).includes('-bootstrap-crds')) return;
    const definitions = await this.#definitions();
    await inParallel(definitions, requestsAtOnce, ({ name, text }) =>
      this.#api.applyText(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`, text),
    );
    this.#brought = uid;
  }

  async #found(path: string): Promise<KubeObject | null> {
    try {
      return await this.#api.get(path);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null;
      throw error;
    }
  }
}
