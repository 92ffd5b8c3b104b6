/**
 * The folders that each folder may import. Data flows kube → facts → checks → plan → run → status → usecases → cli, console. node-state is below run and
 * status, flows is beside facts, and base, spec and text (which escapes text from clusters) are below all of them. A folder that is missing here may be
 * imported by no other, and may import none.
 *
 * `checks` and `plan` do no I/O and never import `kube`, not even its types: all they get of a cluster is Facts.
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
  // The node's agent: the API alone decides what it writes into the kernel.
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
  'lib/flows': ['lib/base', 'lib/folders', 'lib/kube', 'lib/spec', 'lib/text'],
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

/** Imports that break a rule: `file → folder`, or a file on a cycle, with the change that would remove it. The aim is none; an unneeded row fails a test. */
export const exceptions: Readonly<Record<string, string>> = {
  'lib/operator/recordings/replay.ts → lib/sandbox': 'Only its test uses it: move it into lib/operator/testing/.',
};

/**
 * The files of a folder that other folders may import; by default only its `index.ts`. The console's process and its pages share the folder lib/console
 * but no module: pages import the contract (`host.ts`, `wire.ts`) and the wizard's schemas. Only the command line imports the process itself; to ask a
 * running console it uses `ask-console.ts` and `instance/hold-sandbox.ts`, which load nothing of the process.
 */
export const doors: Readonly<Record<string, readonly string[]>> = {
  // No index: a page that imports words for a count should not load the arithmetic of addresses.
  'lib/base': [
    'async/back-off.ts',
    'async/in-parallel.ts',
    'async/or-aborted.ts',
    'selectors/calico-selector.ts',
    'certificates.ts',
    'child-environment.ts',
    'exact-scalar.ts',
    'ip.ts',
    'selectors/label-requirement.ts',
    'loopback.ts',
    'message-of.ts',
    'nearest.ts',
    'object-names.ts',
    'patterns/go-pattern.ts',
    'patterns/interface-pattern.ts',
    'network/ports.ts',
    'network/service-address.ts',
    'network/tls-fault.ts',
    'process-identity.ts',
    'records.ts',
    'sha256.ts',
    'unchanging.ts',
    'words.ts',
  ],
  // Pages load these without the tables behind the index: names of images while they are typed, steps and answers of the wizard, watched Services,
  // what may be counted.
  'lib/spec': [
    'index.ts',
    'by-operator.ts',
    'choices.ts',
    'images/image-name.ts',
    'platforms/virtual-node.ts',
    'watched-services.ts',
    'was-read.ts',
    'wizard-steps.ts',
  ],
  'lib/installation': ['index.ts', 'in-browser.ts', 'installation-problems.ts', 'field-schema.ts'],
  // Kinds that only one collector reads are read there, with the same readers of single fields as the others.
  'lib/kube': ['index.ts', 'read/lenient.ts', 'read/metadata.ts'],
  // Pages of flows load queries and words without the client that connects to an aggregator.
  'lib/flows': [
    'index.ts',
    'in-browser.ts',
    'flow-error.ts',
    'flow-role.ts',
    'flow-schema.ts',
    'changes/changes-schema.ts',
  ],
  // The model of a run uses the shapes of facts, without the collectors.
  'lib/facts': ['index.ts', 'schema.ts'],
  // The table of Calico's kinds and their API groups, without the readers.
  'lib/calico-api': ['index.ts', 'calico-kinds.ts', 'derived-objects.ts'],
  // A browser counts blocking findings too, without loading the checks.
  'lib/checks': ['index.ts', 'framework/verdict.ts', 'wording/withheld-among.ts'],
  // Texts about the undo and about refused scripts, without the planner.
  'lib/plan': ['index.ts', 'plan-undo.ts', 'shell/refused-script.ts', 'upgrade/way-of-upgrade.ts'],
  // A browser loads the model of a run, without the engine.
  'lib/run': ['index.ts', 'model/index.ts', 'model/has-ended.ts', 'model/on-its-way.ts', 'model/run-goal.ts'],
  // `parts.ts`: emulated nodes and platforms for tests on a real API server.
  'lib/sandbox': ['index.ts', 'parts.ts'],
  // Commands for Calico's objects load no planner, and the planner loads no client of flow logs.
  'lib/usecases': ['index.ts', 'calico/calico-objects.ts', 'why/index.ts'],
  // A browser computes unserved nodes from events.
  'lib/status': ['index.ts', 'unserved.ts'],
  // Apart from the index, so that browsers do not load a printer of YAML.
  'lib/text': ['index.ts', 'yaml-text.ts'],
  // `cluster-slug.ts`: the command line finds the console's files of a cluster by its slug. `goal-words.ts`: the page of a run loads no wizard.
  'lib/console': [
    'index.ts',
    'ask-console.ts',
    'instance/hold-sandbox.ts',
    'host/clusters/cluster-slug.ts',
    'host.ts',
    'wire.ts',
    'wizard/index.ts',
    'wizard/goal-words.ts',
  ],
};

/** Modules that pages may not import: they start or ask the process that pages run in. */
export const notForPages: readonly string[] = [
  'lib/console/index.ts',
  'lib/console/ask-console.ts',
  'lib/console/instance/hold-sandbox.ts',
  'lib/cli/index.ts',
];

/** Modules that must be safe for browsers, even if client components load only parts of them. */
export const forBrowsers: readonly string[] = ['lib/run/model/index.ts'];

/** Packages and built-ins that only the console's process may load: network, disk, and Next's server-side modules. */
export const notForBrowsers = /^(?:node:|undici$|@grpc\/|@duckdb\/|@clickhouse\/|next\/headers$|next\/server$)/;

/** How many files a folder may hold before a reader has to search it. */
export const mostFiles = 25;

/** Folders with one file per rule, which may hold more files: to add a rule is to add a file, named after the rule's id. */
export const registries: readonly string[] = [
  'lib/checks/feature',
  'lib/checks/upgrade',
  'lib/cli/commands',
  'lib/plan/operations',
  'lib/run/conditions',
];
