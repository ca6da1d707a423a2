import { Button, Text } from "@mantine/core";
import { anonymousApi } from "../../api/api.ts";
import { describeProblem } from "../../api/problem.ts";
import { ButtonLink } from "../../components/button-link.tsx";
import { ProblemAlert } from "../../components/problem-alert.tsx";
import { useAction } from "../../components/use-action.ts";
import { t } from "../../language/t.ts";
import { linkToken, PublicPage } from "./public-page.tsx";

/** Confirms an email address by the link that was sent to it. A click, because mail programs open links by themselves. */
export function VerifyEmailPage() {
  const verifying = useAction({
    mutationFn: () =>
      anonymousApi.post("/email-verification/", { attributes: { token: linkToken() } }),
    meta: { isShownByForm: true },
  });
  const email = verifying.data?.data.attributes.email;
  return (
    <PublicPage title={t("Confirm your email")}>
      {email === undefined ? (
        <>
          <Text>{t("Confirm that this address is yours.")}</Text>
          <ProblemAlert
            problem={verifying.error === null ? null : describeProblem(verifying.error)}
          />
          <Button
            loading={verifying.isPending}
            onClick={() => {
              verifying.mutate();
            }}
          >
            {t("Confirm address")}
          </Button>
        </>
      ) : (
        <>
          <Text role="status">{t("{email} is confirmed.", { email })}</Text>
          <ButtonLink to="/profile">{t("Open notification settings")}</ButtonLink>
        </>
      )}
    </PublicPage>
  );
}
