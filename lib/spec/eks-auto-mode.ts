/**
 * What shows that AWS runs a node itself: its label, or its system's name, which no other node group has (docs.aws.amazon.com › EKS › Auto Mode, the
 * output of `kubectl get nodes -o wide`; read 2026-11-23). Labels may be missing in a dump.
 */
export function autoModeSign({ computeType, osImage }: MarksOfNode): 'label' | 'system' | null {
  if (computeType === 'auto') return 'label';
  return /^Bottlerocket \(EKS Auto\b/.test(osImage) ? 'system' : null;
}

type MarksOfNode = { readonly computeType: string | null; readonly osImage: string };
