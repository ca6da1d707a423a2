import { afterEach, describe, expect, it } from "vitest";
import { type MailServer, startMailServer } from "../../sandbox/mail-server.ts";
import { present } from "../kernel/assert.ts";
import { systemClock } from "../kernel/system-clock.ts";
import { parseTimestamp } from "../kernel/timestamp.ts";
import { createSmtpTransport, type MailTransport, type SmtpSettings } from "./smtp-transport.ts";

/* The transport against a real SMTP server: TLS, sign-in, and which failures are final. */

const open: { readonly close: () => unknown }[] = [];
afterEach(async () => {
  for (const part of open.splice(0).toReversed()) await part.close();
});

async function arrange(
  options: Parameters<typeof startMailServer>[1],
  changes: Partial<SmtpSettings> = {},
): Promise<{ readonly server: MailServer; readonly transport: MailTransport }> {
  const server = await startMailServer(systemClock, options);
  const transport = createSmtpTransport({
    host: server.host,
    port: server.port,
    tls: "none",
    login: null,
    from: { address: "noreply@sluice.example", name: "Sluice" },
    authority: null,
    ...changes,
  });
  open.push(server, transport);
  return { server, transport };
}

const message = {
  to: "ada@shop.example",
  fromName: null,
  messageId: "<1.2@sluice.example>",
  date: present(parseTimestamp("2026-01-02T03:04:05Z"), "a time"),
  subject: "Hello",
  text: "Text",
  html: "<p>Text</p>",
  unsubscribeUrl: null,
};

const accounts: Parameters<typeof startMailServer>[1] = {
  authOptional: false,
  disabledCommands: ["STARTTLS"],
  allowInsecureAuth: true,
  onAuth: ({ username, password }, _session, callback) => {
    if (username === "sluice" && password === "right") callback(null, { user: username });
    else callback(new Error("wrong"));
  },
};

describe("the SMTP transport", () => {
  it("signs in with its user and password", async () => {
    const login = { user: "sluice", password: "right" };
    const { server, transport } = await arrange(accounts, { login });
    await transport.verify();
    expect(await transport.send(message)).toEqual({ kind: "accepted" });
    expect(server.received()).toMatchObject([{ to: ["ada@shop.example"], subject: "Hello" }]);
  });

  it("tries again later when its password is wrong, and says so to the check", async () => {
    const login = { user: "sluice", password: "wrong" };
    const { server, transport } = await arrange(accounts, { login });
    await expect(transport.verify()).rejects.toThrow(/Invalid login/);
    expect(await transport.send(message)).toMatchObject({ kind: "failed" });
    expect(server.received()).toEqual([]);
  });

  it("sends nothing in plain text when TLS is required", async () => {
    const { server, transport } = await arrange({}, { tls: "starttls" });
    await expect(transport.verify()).rejects.toThrow();
    expect(await transport.send(message)).toMatchObject({ kind: "failed" });
    expect(server.received()).toEqual([]);
  });

  it("refuses a certificate that no known authority signed", async () => {
    const { server, transport } = await arrange(
      { disabledCommands: ["AUTH"], logger: false },
      { tls: "starttls" },
    );
    expect(await transport.send(message)).toMatchObject({ kind: "failed" });
    expect(server.received()).toEqual([]);
  });

  it("gives up only what the server refuses permanently", async () => {
    const refusing = (responseCode: number) => ({
      onRcptTo: (_address: unknown, _session: unknown, callback: (error: Error) => void) => {
        callback(Object.assign(new Error("mailbox"), { responseCode }));
      },
    });
    const gone = await arrange(refusing(550));
    expect(await gone.transport.send(message)).toMatchObject({ kind: "refused" });
    const full = await arrange(refusing(452));
    expect(await full.transport.send(message)).toMatchObject({ kind: "failed" });
  });

  it("reports a server that is not there as a failure", async () => {
    const { server, transport } = await arrange({});
    await server.close();
    expect(await transport.send(message)).toMatchObject({ kind: "failed" });
  });
});
