import type { SandboxChain } from "../../../src/sandbox/sandbox-file.ts";

export type Login = { readonly login: string; readonly password: string };

/** A credential of an account's Owner, the Owner's own login for the dashboard, and the secret of the account's callbacks. */
export type OwnerLogin = Login & { readonly dashboard: Login; readonly webhookSecret: string };

/** A running service as its users see it, however it was started. */
export type Deployment = {
  /** The addresses of its api processes; requests go to them in turn. */
  readonly apis: readonly string[];
  readonly owner: OwnerLogin;
  /** The Owner of another account. */
  readonly other: Login;
  /** Only for the books: everything else is read over HTTP. */
  readonly databaseUrl: string;
  /** The arguments of the operator's commands. */
  readonly configFile: string;
  /** The chains, as payers and miners use them. */
  readonly chains: Readonly<Record<string, SandboxChain>>;
  /** Null if losing a node ends the deployment, as in the sandbox. */
  readonly nodes: Readonly<Record<string, NodeControl>> | null;
  /** Null if it is a child of another part, which restarts it automatically. */
  readonly signer: Restartable | null;
  /** Stops everything and throws when a process, a port or a file stays behind. */
  readonly stop: () => Promise<void>;
};

export type Restartable = {
  /** Kills it at once, without saving anything. */
  readonly kill: () => Promise<void>;
  /** Restarts it in its folder. */
  readonly restart: () => Promise<void>;
};

/** What can happen to a deployment's node. */
export type NodeControl = Restartable & {
  /** Cuts the node off from the service, but not from others, until the returned function is called. */
  readonly cutOff: () => () => void;
};
