"""The names of the months, in the languages that pages are written in.

Each line is a month; a word stands for one month only. Where two languages disagree (the Polish and
the Croatian `listopad`), the word counts for the language with more pages on the web. Words are in
lowercase, without the dot at the end of an abbreviation.
"""

from __future__ import annotations

EARLIEST, LATEST = 1990, 2100
"""The range of years that pages have; other numbers are not years."""

_MONTHS = """
january jan januar januari janvier janv enero ene gennaio gen janeiro janeir января январь янв\
 ιανουαρίου ιανουάριος ιαν stycznia styczeń sty ocak oca jänner jän tammikuu tammikuuta\
 ledna leden\
 január ianuarie ian gener siječnja січня січень януари يناير جانفي जनवरी জানুয়ারি มกราคม\
 ม.ค ינואר\
 jaanuar sausio janvāris tháng1 ژانویه janv.
february feb februar februari février févr fevrier febrero febbraio febb fevereiro fev февраля\
 февраль фев февр φεβρουαρίου φεβρουάριος φεβ lutego luty lut şubat şub helmikuu helmikuuta února\
 únor február februarie febrer veljače лютого лютий февруари فبراير فيفري फ़रवरी फरवरी\
 ফেব্রুয়ারি\
 กุมภาพันธ์ ก.พ פברואר veebruar vasario februāris feber فوریه
march mar märz maerz mär mrz mars marzo março marco марта март мар μαρτίου μάρτιος μαρ marca\
 marzec mart maaliskuu maaliskuuta března březen bře március marts martie març ožujka\
 березня березень\
 maart mrt مارس मार्च মার্চ มีนาคม มี.ค מרץ märts kovo mác
april apr avril avr abril abr aprile апреля апрель апр απριλίου απρίλιος απρ kwietnia\
 kwiecień kwi\
 nisan nis huhtikuu huhtikuuta dubna duben április aprilie travnja квітня квітень април\
 أبريل ابريل\
 نيسان अप्रैल এপ্রিল เมษายน เม.ย אפריל aprill balandžio aprīlis آوریل
may mai mayo maggio mag maio мая май μαΐου μάιος μαϊ maja maj mayıs toukokuu toukokuuta května\
 květen május maig svibnja травня травень mei مايو ماي أيار मई মে พฤษภาคม พ.ค מאי gegužės\
 maijs mayo مه
june jun juni juin junio giugno giu junho июня июнь июн ιουνίου ιούνιος ιουν czerwca czerwiec cze\
 haziran haz kesäkuu kesäkuuta června červen június iunie iun juny lipnja червня червень\
 юни يونيو\
 جوان حزيران जून জুন มิถุนายน มิ.ย יוני juuni birželio jūnijs ژوئن
july jul juli juillet juil julio luglio lug julho июля июль июл ιουλίου ιούλιος ιουλ lipca lipiec\
 lip temmuz tem heinäkuu heinäkuuta července červenec július iulie iul juliol srpnja липня липень\
 юли يوليو جويلية تموز जुलाई জুলাই กรกฎาคม ก.ค יולי juuli liepos jūlijs ژوئیه
august aug août aout agosto ago августа август авг αυγούστου αύγουστος αυγ sierpnia sierpień sie\
 ağustos ağu elokuu elokuuta srpna srpen augusztus agost kolovoza серпня серпень augustus\
 أغسطس أوت\
 اغسطس آب अगस्त আগস্ট สิงหาคม ส.ค אוגוסט rugpjūčio augusts اوت augusti
september sep sept septembre septiembre setiembre settembre set setembro сентября сентябрь сен\
 сент σεπτεμβρίου σεπτέμβριος σεπ września wrzesień wrz eylül eyl syyskuu syyskuuta září zář\
 szeptember szept septembrie setembre rujna вересня вересень септември سبتمبر أيلول सितंबर\
 सितम्बर\
 সেপ্টেম্বর กันยายน ก.ย ספטמבר rugsėjo septembris سپتامبر
october oct oktober okt octobre octubre ottobre ott outubro out октября октябрь окт οκτωβρίου\
 οκτώβριος οκτ października październik paź ekim eki lokakuu lokakuuta října říjen október\
 octombrie\
 oct listopada.hr жовтня жовтень октомври أكتوبر اكتوبر अक्टूबर অক্টোবর ตุลาคม ต.ค אוקטובר\
 oktoober\
 spalio oktobris اکتبر
november nov novembre noviembre novembro ноября ноябрь ноя νοεμβρίου νοέμβριος νοε listopada\
 listopad lis kasım kas marraskuu marraskuuta noiembrie studenoga листопада листопад\
 ноември نوفمبر\
 नवंबर नवम्बर নভেম্বর พฤศจิกายน พ.ย נובמבר lapkričio novembris نوامبر
december dec dezember dez décembre déc decembre diciembre dic dicembre dezembro декабря декабрь\
 дек δεκεμβρίου δεκέμβριος δεκ grudnia grudzień gru aralık ara joulukuu joulukuuta prosince\
 prosinec\
 decembrie desember des desembre prosinca грудня грудень декември ديسمبر दिसंबर दिसम्बर ডিসেম্বর\
 ธันวาคม ธ.ค דצמבר detsember gruodžio decembris دسامبر
"""

MONTHS: dict[str, int] = {
    word: number
    for number, line in enumerate(_MONTHS.strip().splitlines(), 1)
    for word in line.split()
}
"""The number of the month for each word."""
MONTH_ENDS = frozenset(word[-2:] for word in MONTHS)
"""The last two characters of the words."""
