import { startAuthentication } from "@simplewebauthn/browser";
import { SluiceError } from "../../../../client/src/sluice-error.ts";
import { anonymousApi, session } from "./api.ts";

/** What is still asked for after a right password. */
export type SecondFactorDue = {
  readonly challenge: string;
  readonly methods: readonly ("totp" | "passkey" | "recovery_code")[];
};

type AuthenticationOptions = Parameters<typeof startAuthentication>[0]["optionsJSON"];

/** Begins the page's session, or answers what is asked for first. Throws `SluiceError` when the service refuses. */
export async function signIn(login: string, password: string): Promise<SecondFactorDue | null> {
  try {
    const { data } = await anonymousApi.post("/session/", { attributes: { login, password } });
    session.begin(data.attributes);
    return null;
  } catch (error) {
    if (!(error instanceof SluiceError) || error.code !== "second_factor_required") throw error;
    const { challenge, methods } = error.meta;
    return {
      challenge: String(challenge),
      methods: String(methods).split(",") as SecondFactorDue["methods"],
    };
  }
}

/** Begins the session by a code: six digits, or one for recovery. */
export async function giveCode(challenge: string, code: string): Promise<void> {
  const { data } = await anonymousApi.post("/session/second-factor/", {
    attributes: { challenge, code },
  });
  session.begin(data.attributes);
}

/** Begins the session by a passkey alone. */
export async function signInWithPasskey(): Promise<void> {
  const { data } = await anonymousApi.post("/session/passkey/", {
    attributes: await answerByPasskey(),
  });
  session.begin(data.attributes);
}

/** Lets the browser's user choose a passkey; its answer, with the challenge that it belongs to. */
export async function answerByPasskey() {
  const { data } = await anonymousApi.post("/session/passkey-options/");
  const { challenge, options } = data.attributes;
  const response = await startAuthentication({
    optionsJSON: options as unknown as AuthenticationOptions,
  });
  return { challenge, response: response as never };
}

/** Passkeys belong to domains: at a bare address the browser has none. */
export function hasPasskeys(): boolean {
  const isAddress = /^[\d.]+$|^\[/.test(location.hostname);
  return typeof PublicKeyCredential === "function" && !isAddress;
}

/** Ends the session at the service and here. Here it ends in any case. */
export async function signOut(): Promise<void> {
  try {
    await anonymousApi.post("/session/logout/");
  } finally {
    session.end();
  }
}
