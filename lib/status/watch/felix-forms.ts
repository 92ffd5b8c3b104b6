import type { KubeObject } from '#lib/kube/index.ts';
import { names, resources } from '#lib/spec/index.ts';
import type { Followed } from './followed.ts';

/** The two API groups that may serve FelixConfigurations. If both have an object, the datastore's own form counts (crd.projectcalico.org). */
export const felixForms = {
  datastore: { id: 'felix', resource: resources.felixConfigurations },
  v3: { id: 'felix of v3', resource: resources.felixConfigurationsV3 },
} as const;

/** FelixConfigurations by name, in both forms. Newer releases store the v3 form in a CustomResourceDefinition of its own (calico.md §9 › v3 API). */
export class FelixForms {
  private readonly known = { datastore: new Map<string, KubeObject>(), v3: new Map<string, KubeObject>() };
  private readonly show: (name: string, object: KubeObject | null) => void;

  /** `show` gets the object that counts for a name; null if none has this name. */
  constructor(show: (name: string, object: KubeObject | null) => void) {
    this.show = show;
  }

  in(form: keyof typeof felixForms): Followed {
    const { id, resource } = felixForms[form];
    const known = this.known[form];
    return {
      id,
      kind: { resource },
      sink: {
        synced: (objects) => {
          const before = [...known.keys()];
          known.clear();
          for (const object of objects) known.set(object.metadata.name ?? '', object);
          // Reports the default even if it does not exist, because its absence is known from now on.
          for (const name of new Set([...before, ...known.keys(), names.felixConfiguration])) this.showNow(name);
        },
        changed: (object) => {
          known.set(object.metadata.name ?? '', object);
          this.showNow(object.metadata.name ?? '');
        },
        deleted: ({ metadata: { name = '' } }) => {
          known.delete(name);
          this.showNow(name);
        },
      },
    };
  }

  private showNow(name: string): void {
    this.show(name, this.known.datastore.get(name) ?? this.known.v3.get(name) ?? null);
  }
}
