import { startAuthentication } from "@simplewebauthn/browser";
import { SluiceError } from "../../../../client/src/sluice-error.ts";
import { anonymousApi, session } from "./api.ts";
import { dropPush } from "./browser-push.ts";

/** The second factor that the service requires after the password. */
export type SecondFactorChallenge = {
  readonly challenge: string;
  readonly methods: readonly ("totp" | "passkey" | "recovery_code")[];
};

type AuthenticationOptions = Parameters<typeof startAuthentication>[0]["optionsJSON"];

/** Until the response that clears the cookie of the former session has arrived: it must not clear that of the next one. */
let leaving: Promise<void> = Promise.resolve();

/** Starts the session, or returns the second factor that is required first. Throws `SluiceError` when the service refuses. */
export async function signIn(
  login: string,
  password: string,
): Promise<SecondFactorChallenge | null> {
  await leaving;
  try {
    const { data } = await anonymousApi.post("/session/", { attributes: { login, password } });
    session.start(data.attributes);
    return null;
  } catch (error) {
    if (!(error instanceof SluiceError) || error.code !== "second_factor_required") throw error;
    const { challenge, methods } = error.meta;
    return {
      challenge: String(challenge),
      methods: String(methods).split(",") as SecondFactorChallenge["methods"],
    };
  }
}

/** Starts the session by an authenticator or recovery code. */
export async function submitCode(challenge: string, code: string): Promise<void> {
  const { data } = await anonymousApi.post("/session/second-factor/", {
    attributes: { challenge, code },
  });
  session.start(data.attributes);
}

/** Starts the session by a passkey alone. */
export async function signInWithPasskey(): Promise<void> {
  await leaving;
  const { data } = await anonymousApi.post("/session/passkey/", {
    attributes: await getPasskeyAssertion(),
  });
  session.start(data.attributes);
}

/** Asks the browser for a passkey assertion; returns it with its challenge. */
export async function getPasskeyAssertion() {
  const { data } = await anonymousApi.post("/session/passkey-options/");
  const { challenge, options } = data.attributes;
  const response = await startAuthentication({
    optionsJSON: options as unknown as AuthenticationOptions,
  });
  return { challenge, response: response as never };
}

/** Whether passkeys work here: WebAuthn requires a domain name, not an IP address. */
export function supportsPasskeys(): boolean {
  const isAddress = /^[\d.]+$|^\[/.test(location.hostname);
  return typeof PublicKeyCredential === "function" && !isAddress;
}

/**
 * Ends the session at the service and then here, with the notifications in this browser. The service knows the session by its cookie.
 * Throws when the service cannot be reached: the session then continues, because its cookie is still valid.
 */
export async function signOut(): Promise<void> {
  const ended = anonymousApi.post("/session/logout/").catch((error: unknown) => {
    // The service has ended the session before.
    if (!(error instanceof SluiceError) || error.status !== 401) throw error;
  });
  leaving = ended.then(
    () => undefined,
    () => undefined,
  );
  await session.endAfter(ended);
  // The service has removed its side with the session.
  await dropPush().catch(() => undefined);
}
