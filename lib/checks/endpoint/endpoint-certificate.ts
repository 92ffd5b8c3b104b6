import { hostAndPort } from '#lib/base/ip.ts';
import { isHosted, platformIn } from '#lib/spec/index.ts';
import type { Remedy } from '../findings.ts';
import { defineEndpointCheck, ofAnAddressForAll } from '../framework/endpoint-check.ts';
import { reachedFromNodes } from '../measured/reached-from-nodes.ts';
import { endpointSubject } from '../reading/effective-endpoint.ts';
import { dialEvidence, probeOf } from '../reading/endpoint-probe.ts';
import { listed, phrase } from '../wording/sentences.ts';

export const endpointCertificate = defineEndpointCheck({
  id: 'endpoint.certificate',
  group: 'API endpoint',
  severity: 'blocking',
  followsFrom: ofAnAddressForAll,
  goals: ['install', 'enable'],
  reads: ['endpointProbe'],
  title: "The API server's certificate names the endpoint",
  gap: 'The certificate does not name the endpoint',
  topic: 'Certificate at the endpoint',
  ifIgnored: 'Every agent loses the API server',
  consequence:
    'Every agent refuses a certificate that does not name the address it connects to, and no longer learns of changes.',
  remedy: {
    steps: ['Choose an address that the certificate names.', 'Check again.'],
    fixIn: 'endpoint',
  },
  source: 'pain A12',
  evaluate: (endpoint, _address, facts, choices) => {
    const probe = probeOf(facts, endpoint);
    if ('because' in probe) {
      const seen = reachedFromNodes(facts, endpoint, 'verified');
      return seen?.kind === 'pass'
        ? { ...seen, because: `The certificate verifies for ${endpoint.host} on every node.` }
        : { kind: 'unknown', because: probe.because, restsOn: [] };
    }
    if (probe.certificate === null) {
      return {
        kind: 'unknown',
        because: `No certificate was seen: ${hostAndPort(endpoint)} is ${probe.missed}.`,
        evidence: dialEvidence(probe),
      };
    }
    const { certificate } = probe;
    const names = certificate.names.length > 0 ? listed(certificate.names, 8) : 'nothing';
    const evidence = [
      ...dialEvidence(probe),
      {
        object: endpointSubject(facts, endpoint, '').name,
        path: 'certificate.subjectAltNames',
        value: certificate.names,
      },
      {
        object: endpointSubject(facts, endpoint, '').name,
        path: 'certificate.issuer, .notAfter',
        value: [certificate.issuer, certificate.expiresAt],
      },
    ];
    if (certificate.verified) {
      return {
        kind: 'pass',
        because: `The certificate verifies for ${endpoint.host}; it names ${names}${until(certificate)}.`,
        evidence,
      };
    }
    const why = phrase(certificate.because);
    return {
      kind: 'fail',
      because: `The certificate at ${endpoint.host} does not verify: ${why}. It names ${names}.`,
      subjects: [endpointSubject(facts, endpoint, `${why}; it names ${names}`)],
      ...(isHosted(platformIn(facts, choices)) ? {} : { remedy: issuedHere }),
      evidence,
    };
  },
});

/** On hosted services only the provider can issue that certificate. */
const issuedHere: Remedy = {
  ...endpointCertificate.remedy,
  steps: [
    'Choose an address that the certificate names, or have the certificate issued again with this one (kubeadm: `apiServer.certSANs`).',
    'Check again.',
  ],
};

/** `, and is good until 2027-11-21`; no threshold, the reader decides whether that is soon. */
function until({ expiresAt }: { expiresAt: string | null }): string {
  return expiresAt === null ? '' : `, and is good until ${expiresAt.slice(0, 10)}`;
}
