/**
 * Which folder may use which: data flows kube → facts → checks → plan → run → status → usecases → cli, console; node-state stands below run and status,
 * flows beside facts,
 * spec stands below all of them, and arrows
 * point one way; text below all of them says how strangers' words are shown. A folder that is missing here may be used by nobody, and uses nothing of ours.
 *
 * `checks` and `plan` do no I/O and never see `kube`, not even its types: what they know of a cluster is Facts.
 */
export const arrows: Readonly<Record<string, readonly string[]>> = {
  'lib/base': [],
  'lib/text': ['lib/base'],
  'lib/spec': ['lib/base'],
  'lib/folders': [],
  'lib/peers': [],
  'lib/kube': ['lib/base', 'lib/spec', 'lib/text'],
  'lib/calico-api': ['lib/base', 'lib/kube', 'lib/spec'],
  'lib/etcd': ['lib/base', 'lib/kube', 'lib/spec'],
  'lib/release': ['lib/base', 'lib/folders', 'lib/spec', 'lib/text'],
  'lib/installation': ['lib/base', 'lib/spec'],
  'lib/reference': ['lib/base', 'lib/spec', 'lib/text'],
  'lib/facts': ['lib/base', 'lib/kube', 'lib/spec', 'lib/text'],
  'lib/probe': ['lib/base', 'lib/facts', 'lib/kube', 'lib/spec', 'lib/text'],
  'lib/node-state': ['lib/base', 'lib/facts', 'lib/kube', 'lib/spec'],
  'lib/node': ['lib/base', 'lib/kube', 'lib/spec', 'lib/text'],
  'lib/checks': ['lib/base', 'lib/facts', 'lib/installation', 'lib/spec', 'lib/text'],
  'lib/plan': ['lib/base', 'lib/calico-api', 'lib/checks', 'lib/facts', 'lib/installation', 'lib/spec', 'lib/text'],
  'lib/run': [
    'lib/base',
    'lib/calico-api',
    'lib/plan',
    'lib/checks',
    'lib/facts',
    'lib/folders',
    'lib/kube',
    'lib/node-state',
    'lib/spec',
    'lib/text',
  ],
  'lib/usecases': [
    'lib/base',
    'lib/calico-api',
    'lib/run',
    'lib/plan',
    'lib/checks',
    'lib/facts',
    'lib/flows',
    'lib/installation',
    'lib/kube',
    'lib/probe',
    'lib/release',
    'lib/sandbox',
    'lib/spec',
    'lib/status',
    'lib/text',
  ],
  'lib/status': [
    'lib/base',
    'lib/run',
    'lib/plan',
    'lib/checks',
    'lib/facts',
    'lib/kube',
    'lib/node-state',
    'lib/spec',
  ],
  'lib/operator': ['lib/base', 'lib/installation', 'lib/kube', 'lib/spec', 'lib/text'],
  'lib/flows': ['lib/base', 'lib/kube', 'lib/spec', 'lib/text'],
  // The node's agent: what it writes into the kernel follows from the API alone.
  'lib/sandbox': [
    'lib/base',
    'lib/flows',
    'lib/operator',
    'lib/installation',
    'lib/kube',
    'lib/peers',
    'lib/spec',
    'lib/text',
  ],
  'lib/console': [
    'lib/base',
    'lib/checks',
    'lib/facts',
    'lib/flows',
    'lib/folders',
    'lib/installation',
    'lib/kube',
    'lib/node-state',
    'lib/peers',
    'lib/plan',
    'lib/release',
    'lib/run',
    'lib/sandbox',
    'lib/spec',
    'lib/status',
    'lib/text',
    'lib/usecases',
  ],
  'lib/cli': [
    'lib/base',
    'lib/calico-api',
    'lib/checks',
    'lib/console',
    'lib/etcd',
    'lib/facts',
    'lib/flows',
    'lib/folders',
    'lib/installation',
    'lib/kube',
    'lib/node',
    'lib/operator',
    'lib/plan',
    'lib/probe',
    'lib/reference',
    'lib/release',
    'lib/run',
    'lib/sandbox',
    'lib/spec',
    'lib/status',
    'lib/text',
    'lib/usecases',
  ],
};

/** Arrows that should not be: `file → folder` or a cycle's file, and what fixes it. Empty is the aim; a row that is no longer needed fails. */
export const exceptions: Readonly<Record<string, string>> = {
  'lib/operator/recordings/replay.ts → lib/sandbox': 'Only its test uses it: move it into lib/operator/testing/.',
};

/**
 * Files by which strangers may enter a folder; everywhere else it is the table of contents alone. The console's process and its pages share one
 * folder and never one module: pages use the contract (`host.ts`, `wire.ts`) and the wizard's schemas, only the command line the process itself,
 * and asks one that runs through `ask-console.ts` and `instance/hold-sandbox.ts`, which load nothing of it.
 */
export const doors: Readonly<Record<string, readonly string[]>> = {
  // Each file by its name: a page that counts something needs no arithmetic of addresses.
  'lib/base': [
    'async/back-off.ts',
    'async/in-parallel.ts',
    'async/or-aborted.ts',
    'selectors/calico-selector.ts',
    'certificates.ts',
    'child-environment.ts',
    'exact-scalar.ts',
    'interface-pattern.ts',
    'ip.ts',
    'selectors/label-requirement.ts',
    'loopback.ts',
    'message-of.ts',
    'nearest.ts',
    'object-names.ts',
    'process-identity.ts',
    'records.ts',
    'unchanging.ts',
    'words.ts',
  ],
  // How images are named needs no table, and pages show it as it is typed; which steps and answers there are, the wizard knows. What nodes ask is drawn.
  'lib/spec': [
    'index.ts',
    'by-operator.ts',
    'choices.ts',
    'images/image-name.ts',
    'platforms/virtual-node.ts',
    'watched-services.ts',
    'wizard-steps.ts',
  ],
  'lib/installation': ['index.ts', 'in-browser.ts', 'installation-problems.ts', 'field-schema.ts'],
  // Kinds that one collector alone reads are read where they are used, in the same words as the others.
  'lib/kube': ['index.ts', 'read/lenient.ts', 'read/metadata.ts'],
  // Queries and words are used where flows are shown, without what dials; why there are none is told where they are not.
  'lib/flows': [
    'index.ts',
    'in-browser.ts',
    'flow-error.ts',
    'flow-role.ts',
    'flow-schema.ts',
    'changes/changes-schema.ts',
  ],
  // Shapes that the model of a run is made of, without what reads a cluster.
  'lib/facts': ['index.ts', 'schema.ts'],
  // Which kinds there are and where they lie, without what reads objects.
  'lib/calico-api': ['index.ts', 'calico-kinds.ts', 'derived-objects.ts'],
  // What blocks is counted in a browser too, without the checks.
  'lib/checks': ['index.ts', 'framework/verdict.ts', 'wording/withheld-among.ts'],
  // The way back, and why a script must not run, are said without what makes plans.
  'lib/plan': ['index.ts', 'plan-undo.ts', 'shell/refused-script.ts', 'upgrade/way-of-upgrade.ts'],
  // What a browser may know of a run: its journal as it is shown.
  'lib/run': ['index.ts', 'model/index.ts', 'model/has-ended.ts', 'model/on-its-way.ts', 'model/run-goal.ts'],
  // What tests on a real API server play nodes and platforms with.
  'lib/sandbox': ['index.ts', 'parts.ts'],
  // Who lists objects of Calico makes no plans, and who makes plans loads nothing that dials flow logs.
  'lib/usecases': ['index.ts', 'calico/calico-objects.ts', 'why/index.ts'],
  // Judged in the browser too, as events come.
  'lib/status': ['index.ts', 'unserved.ts'],
  // A printer of YAML is not for browsers.
  'lib/text': ['index.ts', 'yaml-text.ts'],
  // What the console kept of a cluster lies under the name that it has there.
  'lib/console': [
    'index.ts',
    'ask-console.ts',
    'instance/hold-sandbox.ts',
    'host/clusters/cluster-slug.ts',
    'host.ts',
    'wire.ts',
    'wizard/index.ts',
  ],
};

/** What pages may not use: it starts the process that they run in. */
export const notForPages: readonly string[] = [
  'lib/console/index.ts',
  'lib/console/ask-console.ts',
  'lib/console/instance/hold-sandbox.ts',
  'lib/cli/index.ts',
];

/** Libraries that a browser may load although none does, or not whole. */
export const forBrowsers: readonly string[] = ['lib/run/model/index.ts'];

/** Packages and built-ins that only the console's process may load: the network, the disk, and what Next offers to the server. */
export const notForBrowsers = /^(?:node:|undici$|@grpc\/|@duckdb\/|@clickhouse\/|next\/headers$|next\/server$)/;

/** How many files a folder may hold before a reader has to search it. */
export const mostFiles = 25;

/** Tables of one file a rule: to add a rule is to add a file, and its name is its id. */
export const registries: readonly string[] = [
  'lib/checks/feature',
  'lib/checks/upgrade',
  'lib/cli/commands',
  'lib/plan/operations',
  'lib/run/conditions',
];
