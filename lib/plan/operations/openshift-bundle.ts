import { bundledConfigMap, operatorInstallation } from '../install/operator-installation.ts';
import { isBundle, requiredRelease } from '../objects/release-objects.ts';

/**
 * OpenShift’s own files (calico.md §1.2): their operator brings its kinds by itself. The placeholder of the API server’s name is the endpoint’s
 * ConfigMap, which was made with the chosen address before; what they tell the network operator comes once every node is proven.
 */
export const openshiftBundle = operatorInstallation({
  id: 'openshift.bundle',
  title: (context) => `Install the operator ${requiredRelease(context).operator} from OpenShift’s bundle`,
  why: 'OpenShift has its own files. In them, the address of the API server is the chosen one, and the service proxy is turned off only when every node is proven.',
  besides: [bundledConfigMap],
  appliesTo: (context) => isBundle(requiredRelease(context)),
});
