import type { SandboxChain } from "../../../src/sandbox/sandbox-file.ts";

export type Login = { readonly login: string; readonly password: string };

/** A credential of an account's Owner, the Owner's own login for the dashboard, and the secret of the account's callbacks. */
export type OwnerLogin = Login & { readonly dashboard: Login; readonly webhookSecret: string };

/** A running service as its users see it, whichever way it was started. */
export type Deployment = {
  /** Where its api processes listen; requests go to them in turn. */
  readonly apis: readonly string[];
  readonly owner: OwnerLogin;
  /** Owner of another account. */
  readonly other: Login;
  /** For the books alone: everything else is seen over HTTP. */
  readonly databaseUrl: string;
  /** What the operator's commands are given. */
  readonly configFile: string;
  /** The chains as payers and miners reach them. */
  readonly chains: Readonly<Record<string, SandboxChain>>;
  /** Null where a lost node ends the deployment, as it does the sandbox. */
  readonly nodes: Readonly<Record<string, NodeControl>> | null;
  /** Null where it is a child of another part, which starts it again by itself. */
  readonly signer: Restartable | null;
  /** Stops everything and throws when a process, a port or a file stays behind. */
  readonly stop: () => Promise<void>;
};

export type Restartable = {
  /** It dies at once, with nothing written down. */
  readonly kill: () => Promise<void>;
  /** It starts again in its folder. */
  readonly restart: () => Promise<void>;
};

/** What can happen to a node of a deployment. */
export type NodeControl = Restartable & {
  /** The service cannot reach the node, others can; until the function that it returns is called. */
  readonly cutOff: () => () => void;
};
