import { Button, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { anonymousApi, session } from "../../api/api.ts";
import { describeProblem } from "../../api/problem.ts";
import { ProblemAlert } from "../../components/problem-alert.tsx";
import { useApiForm } from "../../components/use-api-form.ts";
import { t } from "../../language/t.ts";
import { InvitationOffer, type Offer } from "./invitation-offer.tsx";
import { type NewPassword, NewPasswordFields, repeatedFault } from "./new-password-fields.tsx";
import { linkToken, PublicPage } from "./public-page.tsx";
import { UnusableInvitation } from "./unusable-invitation.tsx";

/** Shows what an invitation offers, and makes the invited person a member, signed in with a login and password of their own. */
export function AcceptInvitationPage() {
  const token = linkToken();
  const offer = useQuery({
    queryKey: ["invitation-offer", token],
    queryFn: async ({ signal }): Promise<Offer> => {
      const attributes = { token };
      return (await anonymousApi.post("/invitation-offer/", { attributes, signal })).data
        .attributes;
    },
    staleTime: Infinity,
    refetchInterval: false,
  });
  return (
    <PublicPage title={t("Join the team")}>
      {offer.error === null ? null : <UnreadableInvitation error={offer.error} />}
      {offer.isPending ? <Text role="status">{t("Loading…")}</Text> : null}
      {offer.data === undefined ? null : offer.data.state === "pending" ? (
        <>
          <InvitationOffer offer={offer.data} />
          <JoinForm token={token} email={offer.data.email} />
        </>
      ) : (
        <UnusableInvitation offer={offer.data} />
      )}
    </PublicPage>
  );
}

function UnreadableInvitation({ error }: { readonly error: Error }) {
  const problem = describeProblem(error);
  const isUnknown = "status" in error && error.status === 400;
  return (
    <ProblemAlert
      problem={
        isUnknown
          ? {
              ...problem,
              title: t("This link isn't valid"),
              detail: t(
                "A newer link has replaced it, or the invitation was withdrawn. Look for a newer email, or ask the person who invited you to send a new one.",
              ),
            }
          : problem
      }
    />
  );
}

function JoinForm({ token, email }: { readonly token: string; readonly email: string }) {
  const navigate = useNavigate();
  const { form, submit, isSending, problem } = useApiForm({
    initialValues: { login: "", password: "", repeated: "" } satisfies NewPassword & {
      login: string;
    },
    validate: { repeated: repeatedFault },
    send: async ({ login, password }) => {
      const name = login.trim();
      const attributes = { token, password, ...(name === "" ? {} : { login: name }) };
      return (await anonymousApi.post("/invitation-acceptance/", { attributes })).data.attributes;
    },
    onDone: (started) => {
      // Another member may be signed in in this browser: nothing of theirs may be shown.
      session.end();
      session.start(started);
      void navigate({ to: "/", replace: true });
    },
  });
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text>{t("Choose how you sign in.")}</Text>
        <TextInput
          label={t("Login")}
          description={t("Leave empty to sign in with {email}.", { email })}
          autoComplete="username"
          {...form.getInputProps("login")}
        />
        <NewPasswordFields form={form} />
        <ProblemAlert problem={problem} />
        <Button type="submit" loading={isSending}>
          {t("Join")}
        </Button>
      </Stack>
    </form>
  );
}
