/** One permission, as RBAC names it: `group` is empty for the core group; without `namespace` in all of them, without `name` for all objects. */
export type MissingRule = {
  verb: string;
  group: string;
  resource: string;
  subresource?: string | undefined;
  namespace?: string | undefined;
  name?: string | undefined;
};
