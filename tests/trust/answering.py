"""How mail programs write what they answer: header blocks and attributions in many languages, and how lines are marked."""

# ruff: noqa: RUF001  (letters of other alphabets that look like Latin ones are what this is about)

from __future__ import annotations

BLOCKS: dict[str, str] = {
    "en": "From|Sent|To|Subject|Sunday, 22 November 2026 18:00",
    "de": "Von|Gesendet|An|Betreff|Sonntag, 22. November 2026 18:00",
    "fr": "De|Envoyé|À|Objet|dimanche 22 novembre 2026 18:00",
    "es": "De|Enviado|Para|Asunto|domingo, 22 de noviembre de 2026 18:00",
    "es-el": "De|Enviado el|Para|Asunto|domingo, 22 de noviembre de 2026 18:00",
    "pt": "De|Enviada|Para|Assunto|22 de novembro de 2026 18:00",
    "pt-br": "De|Enviado em|Para|Assunto|domingo, 22 de novembro de 2026 18:00",
    "pt-br-f": "De|Enviada em|Para|Assunto|domingo, 22 de novembro de 2026 18:00",
    "it": "Da|Inviato|A|Oggetto|domenica 22 novembre 2026 18:00",
    "nl": "Van|Verzonden|Aan|Onderwerp|zondag 22 november 2026 18:00",
    "pl": "Od|Wysłane|Do|Temat|niedziela, 22 listopada 2026 18:00",
    "hu": "Feladó|Elküldve|Címzett|Tárgy|2026. november 22., vasárnap 18:00",
    "ro": "De la|Trimis|Către|Subiect|duminică, 22 noiembrie 2026 18:00",
    "el": "Από|Στάλθηκε|Προς|Θέμα|Κυριακή, 22 Νοεμβρίου 2026 6:00 μμ",
    "uk": "Від|Надіслано|Кому|Тема|22 листопада 2026 р. 18:00",
    "ru": "От|Отправлено|Кому|Тема|22 ноября 2026 г. 18:00",
    "be": "Ад|Адпраўлена|Каму|Тэма|22 лістапада 2026 18:00",
    "bg": "От|Изпратено|До|Относно|неделя, 22 ноември 2026 г. 18:00",
    "sr": "Шаље|Послато|Прима|Тема|недеља, 22. новембар 2026. 18.00",
    "he": "מאת|נשלח|אל|נושא|יום ראשון 22 נובמבר 2026 18:00",
    "ar": "من|تم الإرسال|إلى|الموضوع|22 نوفمبر 2026 06:00 م",
    "fa": "از|ارسال شده|به|موضوع|22 نوامبر 2026 18:00",
    "hr": "Šalje|Poslano|Prima|Predmet|22. studenog 2026. 18:00",
    "sl": "Od|Poslano|Za|Zadeva|nedelja, 22. november 2026 18:00",
    "sk": "Od|Odoslané|Komu|Predmet|nedeľa 22. novembra 2026 18:00",
    "cs": "Od|Odesláno|Komu|Předmět|neděle 22. listopadu 2026 18:00",
    "et": "Saatja|Saadetud|Adressaat|Teema|pühapäev, 22. november 2026 18:00",
    "lv": "No|Nosūtīts|Kam|Tēma|svētdiena, 2026. gada 22. novembris 18:00",
    "lt": "Nuo|Išsiųsta|Kam|Tema|2026 m. lapkričio 22 d. 18:00",
    "ca": "De|Enviat el|Per a|Tema|diumenge, 22 de novembre de 2026 18:00",
    "tr": "Gönderen|Gönderildi|Kime|Konu|22 Kasım 2026 Pazar 18:00",
    "sv": "Från|Skickat|Till|Ämne|den 22 november 2026 18:00",
    "da": "Fra|Sendt|Til|Emne|22. november 2026 18:00",
    "no": "Fra|Sendt|Til|Emne|søndag 22. november 2026 kl. 18.00",
    "fi": "Lähettäjä|Lähetetty|Vastaanottaja|Aihe|sunnuntai 22. marraskuuta 2026 18.00",
    "ja": "差出人|送信日時|宛先|件名|2026年11月22日 18:00",
    "zh-cn": "发件人|发送时间|收件人|主题|2026年11月22日 18:00",
    "zh-tw": "寄件者|寄件日期|收件者|主旨|2026年11月22日 18:00",
    "ko": "보낸 사람|보낸 날짜|받는 사람|제목|2026년 11월 22일 일요일 18:00",
    "th": "จาก|ส่ง|ถึง|เรื่อง|22 พฤศจิกายน 2026 18:00",
    "hi": "प्रेषक|भेजा गया|प्रति|विषय|22 नवंबर 2026 18:00",
    "vi": "Từ|Đã gửi|Đến|Chủ đề|22 Tháng Mười Một 2026 18:00",
}
"""What Outlook and those like it write: words for From, Sent, To and Subject, and the time."""

ATTRIBUTIONS: dict[str, str] = {
    "gmail-en": "On Sun, 22 Nov 2026 at 18:00, Referee <{address}> wrote:",
    "yahoo": "On Sunday, November 22, 2026 at 06:00:00 PM GMT, Referee <{address}> wrote:",
    "s-nail": "Referee <{address}> wrote:",
    "mutt": "On Sun, Nov 22, 2026 at 06:00:00PM +0000, Referee wrote:",
    "gmail-folded": "On Sun, Nov 22, 2026 at 6:00 PM Referee of a club with a very long name\n<{address}> wrote:",
    "gmail-hu": "Referee <{address}> ezt írta (időpont: 2026. nov. 22., V, 18:00):",
    "gmail-pl": "niedz., 22 lis 2026 o 18:00 Referee <{address}> napisał(a):",
    "gmail-tr": "Referee <{address}>, 22 Kas 2026 Paz, 18:00 tarihinde şunu yazdı:",
    "gmail-pt": "Em dom., 22 de nov. de 2026 às 18:00, Referee <{address}> escreveu:",
    "gmail-ro": "În dum., 22 nov. 2026 la 18:00, Referee <{address}> a scris:",
    "gmail-el": "Στις Κυρ 22 Νοε 2026 στις 6:00 μ.μ., ο χρήστης Referee <{address}> έγραψε:",
    "gmail-uk": "нд, 22 лист. 2026 р. о 18:00 Referee <{address}> пише:",
    "gmail-he": "‫בתאריך יום א׳, 22 בנוב׳ 2026 ב-18:00 מאת ‪Referee‬‏ <{address}>:",
    "gmail-ko": "2026년 11월 22일 (일) 오후 6:00, Referee <{address}>님이 작성:",
    "gmail-zh-tw": "Referee <{address}> 於 2026年11月22日 週日 下午6:00寫道：",
    "gmail-vi": "Vào CN, 22 thg 11, 2026 vào lúc 18:00 Referee <{address}> đã viết:",
    "gmail-ca": "Missatge de Referee <{address}> del dia dg., 22 de nov. 2026 a les 18:00:",
    "apple-ja": "2026/11/22 18:00、Referee <{address}>のメール:",
    "webmail": "22.11.2026 18:00, Referee <{address}>",
}
"""What stands in one sentence over the answered letter."""

SHAPES = {"plain": "", "blanks": "  ", "tab": "\t", "deep": "        ", "marked": "> "}
"""What stands before each line of the answered letter."""


def answered(header: str, letter: str, before: str, address: str) -> str:
    """A letter as it stands below an answer: its header, and its lines with something before each."""
    if "|" in header:
        sender, sent, to, subject, time = header.split("|")
        head = f"{sender}: Referee <{address}>\n{sent}: {time}\n{to}: Anna <anna@players.example>\n{subject}: [nw1] Turn 1\n"
    else:
        head = header.format(address=address)
    return f"{head}\n\n" + "\n".join(before + line for line in letter.splitlines()) + "\n"
