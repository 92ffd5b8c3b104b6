export {
  type InstallationSpec,
  installationSpec,
  managesProxy,
  type Pool,
  type Provider,
  providers,
  wantsBpf,
} from './installation-spec.ts';
export { type Context, type Problem, type Refusal, type Rule, type RuleReason, rules, validate } from './rules.ts';
