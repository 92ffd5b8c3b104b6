import { valueAt } from '#lib/base/records.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import { cleanupFlagPath, names } from '#lib/spec/index.ts';
import { Bell } from '../sync/bell.ts';

/**
 * Whether FelixConfiguration `default` allows to delete kube-proxy's rules. It has to say so: Felix takes a field that is not set for true, but it is nobody's
 * word that the proxy is not to come back. One object may be told as two kinds, of Calico's API and of its CRD; where they differ, it is not allowed.
 */
export class FelixAllows {
  readonly #bell = new Bell();
  readonly #said = new Map<string, unknown>();

  /** @param key as a source tells it: the kind, namespace (none) and name, with `/` between them */
  changed(key: string, object: KubeObject | null): void {
    if (!key.endsWith(`/${names.felixConfiguration}`)) return;
    this.#said.set(key, object === null ? undefined : valueAt(object, cleanupFlagPath));
    this.#bell.ring();
  }

  /** Resolves once it is allowed, or when the signal aborts. */
  async untilAllowed(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !this.#isAllowed()) await this.#bell.heard(signal);
  }

  #isAllowed(): boolean {
    const said = [...this.#said.values()].filter((one) => one !== undefined);
    return said.length > 0 && said.every((one) => one === true);
  }
}
