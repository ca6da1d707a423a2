import { Alert, Button, Stack } from "@mantine/core";
import { IconLogout } from "@tabler/icons-react";
import { useMe } from "../../api/me.ts";
import { PageHeader } from "../../components/page-header.tsx";
import { t } from "../../language/t.ts";
import { leave } from "../../shell/leave.tsx";
import "./profile.css";
import { LanguageSection } from "./language-section.tsx";
import { NotificationSection } from "./notification-section.tsx";
import { PasskeySection } from "./passkey-section.tsx";
import { PasswordSection } from "./password-section.tsx";
import { RecoverySection } from "./recovery-section.tsx";
import { SessionsSection } from "./sessions-section.tsx";
import { TotpSection } from "./totp-section.tsx";

/** The member's login, second factors and active sessions. */
export function ProfilePage() {
  const me = useMe();
  if (me === null) return <PageHeader title={t("Profile and security")} />;
  return (
    <>
      <PageHeader
        title={t("Profile and security")}
        description={t("Sign-in settings for {name} at {accountName}.", {
          name: me.name,
          accountName: me.account_name,
        })}
        actions={
          <Button variant="default" leftSection={<IconLogout size={16} />} onClick={leave}>
            {t("Sign out")}
          </Button>
        }
      />
      <Stack gap="lg">
        {me.must_change_password ? (
          <Alert color="amber" title={t("Set a new password to continue.")}>
            {t("You signed in with an initial password that someone else has seen.")}
          </Alert>
        ) : null}
        <PasswordSection me={me} />
        <LanguageSection />
        {me.must_change_password ? null : (
          <>
            <TotpSection me={me} />
            <PasskeySection />
            {me.has_totp || me.passkey_count > 0 ? <RecoverySection me={me} /> : null}
            <NotificationSection me={me} />
          </>
        )}
        <SessionsSection />
      </Stack>
    </>
  );
}
