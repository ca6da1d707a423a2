import type { EmailLanguage } from "./email-language.ts";

/** The texts of an email with one action. */
export type LetterText = {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** Label of the link. */
  readonly action: string;
  readonly footer: readonly string[];
};

/** The texts of the emails about a person's access. */
export type PeopleTexts = {
  readonly verification: LetterText;
  readonly invitation: (inviter: string, account: string) => LetterText;
  readonly passwordReset: LetterText;
  readonly passwordChanged: LetterText;
  /** `address` null: removed. */
  readonly addressChanged: (address: string | null) => LetterText;
};

export const peopleTexts: Readonly<Record<EmailLanguage, PeopleTexts>> = {
  en: {
    verification: {
      subject: "Confirm your email address",
      paragraphs: [
        "Confirm this address to get notifications, and to reset your password by email.",
        "The link works once, for 24 hours.",
      ],
      action: "Confirm address",
      footer: ["If you didn't ask for this, ignore this email. Nothing changes."],
    },
    invitation: (inviter, account) => ({
      subject: `${inviter} invited you to ${account} on Sluice`,
      paragraphs: [
        `${inviter} invited you to ${account}, which takes crypto payments with Sluice.`,
        "Choose a password to join. The link works once, for 7 days.",
      ],
      action: "Accept invitation",
      footer: ["If you don't recognize the sender, ignore this email. Nothing will happen."],
    }),
    passwordReset: {
      subject: "Reset your password",
      paragraphs: [
        "Set a new password with this link. It works once, for one hour.",
        "Your authenticator app and passkeys stay as they are, and you need them to sign in.",
      ],
      action: "Reset password",
      footer: ["If you didn't ask for this, ignore this email. Your password stays the same."],
    },
    passwordChanged: {
      subject: "Your password was changed",
      paragraphs: [
        "Your password was changed with a link that was sent to this address. All your sessions have ended.",
        "If it wasn't you, reset the password now and tell an Owner of your account.",
      ],
      action: "Reset password",
      footer: [],
    },
    addressChanged: (address) => ({
      subject: "Your email address was changed",
      paragraphs: [
        address === null
          ? "This address was removed from your login. It no longer gets notifications, and it can't reset your password."
          : `Your email address was changed from this one to ${address}. Notifications and password resets go there from now on.`,
        "If it wasn't you, change your password, end your other sessions, and tell an Owner of your account.",
      ],
      action: "Open profile and security",
      footer: [],
    }),
  },
  de: {
    verification: {
      subject: "Bestätigen Sie Ihre E-Mail-Adresse",
      paragraphs: [
        "Bestätigen Sie diese Adresse, um Benachrichtigungen zu erhalten und Ihr Passwort per E-Mail zurücksetzen zu können.",
        "Der Link funktioniert einmal und ist 24 Stunden gültig.",
      ],
      action: "Adresse bestätigen",
      footer: [
        "Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail. Es ändert sich nichts.",
      ],
    },
    invitation: (inviter, account) => ({
      subject: `${inviter} hat Sie zu ${account} auf Sluice eingeladen`,
      paragraphs: [
        `${inviter} hat Sie zu ${account} eingeladen. Das Konto nimmt mit Sluice Zahlungen in Kryptowährungen an.`,
        "Wählen Sie ein Passwort, um beizutreten. Der Link funktioniert einmal und ist 7 Tage gültig.",
      ],
      action: "Einladung annehmen",
      footer: [
        "Wenn Sie den Absender nicht kennen, ignorieren Sie diese E-Mail. Es passiert nichts.",
      ],
    }),
    passwordReset: {
      subject: "Setzen Sie Ihr Passwort zurück",
      paragraphs: [
        "Mit diesem Link legen Sie ein neues Passwort fest. Er funktioniert einmal und ist eine Stunde gültig.",
        "Ihre Authenticator-App und Ihre Passkeys bleiben unverändert. Sie brauchen sie für die Anmeldung.",
      ],
      action: "Passwort zurücksetzen",
      footer: [
        "Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail. Ihr Passwort bleibt unverändert.",
      ],
    },
    passwordChanged: {
      subject: "Ihr Passwort wurde geändert",
      paragraphs: [
        "Ihr Passwort wurde mit einem Link geändert, der an diese Adresse gesendet wurde. Alle Ihre Sitzungen wurden beendet.",
        "Wenn Sie das nicht waren, setzen Sie das Passwort jetzt zurück und informieren Sie einen Inhaber Ihres Kontos.",
      ],
      action: "Passwort zurücksetzen",
      footer: [],
    },
    addressChanged: (address) => ({
      subject: "Ihre E-Mail-Adresse wurde geändert",
      paragraphs: [
        address === null
          ? "Diese Adresse wurde von Ihrem Login entfernt. Sie erhält keine Benachrichtigungen mehr, und das Passwort lässt sich nicht mehr über sie zurücksetzen."
          : `Ihre E-Mail-Adresse wurde von dieser zu ${address} geändert. Benachrichtigungen und Links zum Zurücksetzen des Passworts gehen ab jetzt dorthin.`,
        "Wenn Sie das nicht waren, ändern Sie Ihr Passwort, beenden Sie Ihre anderen Sitzungen und informieren Sie einen Inhaber Ihres Kontos.",
      ],
      action: "Profil und Sicherheit öffnen",
      footer: [],
    }),
  },
  es: {
    verification: {
      subject: "Confirme su dirección de correo",
      paragraphs: [
        "Confirme esta dirección para recibir notificaciones y poder restablecer su contraseña por correo.",
        "El enlace funciona una sola vez y caduca en 24 horas.",
      ],
      action: "Confirmar dirección",
      footer: ["Si no lo ha solicitado, ignore este correo. No cambiará nada."],
    },
    invitation: (inviter, account) => ({
      subject: `${inviter} le ha invitado a ${account} en Sluice`,
      paragraphs: [
        `${inviter} le ha invitado a ${account}, que acepta pagos en criptomonedas con Sluice.`,
        "Elija una contraseña para unirse. El enlace funciona una sola vez y caduca en 7 días.",
      ],
      action: "Aceptar invitación",
      footer: ["Si no conoce al remitente, ignore este correo. No ocurrirá nada."],
    }),
    passwordReset: {
      subject: "Restablezca su contraseña",
      paragraphs: [
        "Establezca una contraseña nueva con este enlace. Funciona una sola vez y caduca en una hora.",
        "Su aplicación de autenticación y sus claves de acceso no cambian, y las necesita para iniciar sesión.",
      ],
      action: "Restablecer contraseña",
      footer: ["Si no lo ha solicitado, ignore este correo. Su contraseña no cambiará."],
    },
    passwordChanged: {
      subject: "Su contraseña ha cambiado",
      paragraphs: [
        "Su contraseña se cambió con un enlace enviado a esta dirección. Todas sus sesiones se han cerrado.",
        "Si no ha sido usted, restablezca la contraseña ahora y avise a un propietario de su cuenta.",
      ],
      action: "Restablecer contraseña",
      footer: [],
    },
    addressChanged: (address) => ({
      subject: "Su dirección de correo ha cambiado",
      paragraphs: [
        address === null
          ? "Esta dirección se ha eliminado de su usuario. Ya no recibirá notificaciones y no servirá para restablecer su contraseña."
          : `Su dirección de correo ha cambiado de esta a ${address}. Las notificaciones y los enlaces para restablecer la contraseña se enviarán allí a partir de ahora.`,
        "Si no ha sido usted, cambie su contraseña, cierre sus otras sesiones y avise a un propietario de su cuenta.",
      ],
      action: "Abrir perfil y seguridad",
      footer: [],
    }),
  },
  zh: {
    verification: {
      subject: "请确认您的电子邮件地址",
      paragraphs: [
        "请确认此地址，以便接收通知并通过邮件重置密码。",
        "该链接只能使用一次，24 小时内有效。",
      ],
      action: "确认地址",
      footer: ["如果这不是您的操作，请忽略此邮件，不会有任何更改。"],
    },
    invitation: (inviter, account) => ({
      subject: `${inviter} 邀请您加入 Sluice 上的 ${account}`,
      paragraphs: [
        `${inviter} 邀请您加入 ${account}。该账户使用 Sluice 接收加密货币付款。`,
        "设置密码即可加入。该链接只能使用一次，7 天内有效。",
      ],
      action: "接受邀请",
      footer: ["如果您不认识发件人，请忽略此邮件，不会有任何影响。"],
    }),
    passwordReset: {
      subject: "重置您的密码",
      paragraphs: [
        "请通过此链接设置新密码。该链接只能使用一次，一小时内有效。",
        "您的身份验证器应用和通行密钥保持不变，登录时仍需使用。",
      ],
      action: "重置密码",
      footer: ["如果这不是您的操作，请忽略此邮件，您的密码不会改变。"],
    },
    passwordChanged: {
      subject: "您的密码已更改",
      paragraphs: [
        "您的密码已通过发送到此地址的链接更改，您的所有会话均已结束。",
        "如果这不是您的操作，请立即重置密码，并告知您账户的所有者。",
      ],
      action: "重置密码",
      footer: [],
    },
    addressChanged: (address) => ({
      subject: "您的电子邮件地址已更改",
      paragraphs: [
        address === null
          ? "此地址已从您的登录名中移除。它不再接收通知，也不能用于重置密码。"
          : `您的电子邮件地址已从此地址更改为 ${address}。今后通知和密码重置邮件将发送到新地址。`,
        "如果这不是您的操作，请更改密码、结束其他会话，并告知您账户的所有者。",
      ],
      action: "打开个人资料与安全",
      footer: [],
    }),
  },
};
