import { aksGuides } from './aks.ts';
import { eksGuides } from './eks.ts';
import { genericGuide } from './generic.ts';
import { gkeGuide } from './gke.ts';
import { k3sGuide } from './k3s.ts';
import { kindGuide } from './kind.ts';
import { kopsGuide } from './kops.ts';
import { kubeadmGuides } from './kubeadm.ts';
import { mkeGuide } from './mke.ts';
import { openshiftGuide } from './openshift.ts';
import type { PlatformGuide } from './platform-guide.ts';
import { rkeGuide } from './rke.ts';
import { rancherGuide, rke2Guide } from './rke2.ts';
import { talosGuide } from './talos.ts';
import { tkgGuide } from './tkg.ts';

/** One file a platform; a platform that is set up in several ways has a row for each. */
export const platformGuides: readonly PlatformGuide[] = [
  ...kubeadmGuides,
  kopsGuide,
  openshiftGuide,
  ...aksGuides,
  ...eksGuides,
  gkeGuide,
  tkgGuide,
  rkeGuide,
  rke2Guide,
  k3sGuide,
  mkeGuide,
  kindGuide,
  talosGuide,
  rancherGuide,
  genericGuide,
];
