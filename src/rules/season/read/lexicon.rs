//! The words of the game: what a player types, and what it is to the reader. Names are not among them; they come from the view.

use crate::engine::UnitId;
use crate::orders::Names;
use crate::orders::fold::words_of;
use crate::rules::season::campaign::Kind;
use std::sync::OnceLock;

/// What an order is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Verb {
    /// Go somewhere, or send somebody.
    March,
    /// Take somebody along, or take a place.
    Take,
    /// At twice the rate.
    Forced,
    /// Over the sea: kept.
    Sail,
    /// Lay siege.
    Besiege,
    /// Storm, or go in.
    Storm,
    /// Take a place, whichever way.
    Capture,
    /// Attack whoever is there.
    Attack,
    /// Give a siege up.
    Raise,
    /// Come out of the city.
    Sortie,
    /// Come out when friends come.
    JoinRelief,
    /// Come to the help of a besieged city.
    Relieve,
    /// Give battle.
    Fight,
    /// Avoid battle.
    Avoid,
    /// Leave a battle.
    Retreat,
    /// Leave a battle if there is a condition, else march.
    FallBack,
    /// Never leave a battle.
    ToTheLast,
    /// Stand where one stands.
    Hold,
    /// Put a brigade of the pool on the map.
    Build,
    /// Buy for the pool.
    Buy,
    /// Call up levies.
    CallUp,
    /// `levies`
    Levies,
    /// `Action card`
    ActionCard,
    /// `play`, `use`
    Play,
    /// `event`
    Event,
    /// `Supply card`
    Supply,
    /// `discard`
    Discard,
    /// Declare war.
    War,
    /// Offer peace.
    Peace,
    /// Give passage.
    Passage,
    /// `let X pass`
    Let,
    /// `pass`
    Pass,
    /// Hand a place over.
    Cede,
    /// Hits to these first.
    HitsFirst,
    /// Food and shelter to these first.
    FeedFirst,
    /// An order that goes on standing.
    Standing,
    /// Take an earlier order back.
    Withdraw,
    /// Go on after a victory.
    GoOn,
    /// Something of the sea: kept.
    Naval,
}

/// The small words between.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Small {
    To,
    From,
    Via,
    At,
    With,
    By,
    On,
    Of,
    Under,
    Behind,
    Against,
    For,
    Over,
    Along,
    River,
    There,
    Outside,
    And,
    But,
    Or,
    Then,
    So,
    If,
    Unless,
    Because,
    Not,
    No,
    All,
    Everyone,
    Nobody,
    His,
    He,
    Rest,
    Army,
    Brigades,
    Garrison,
    Alone,
    Own,
    First,
    Most,
    Named,
    Highest,
    Lowest,
    Any,
    Serial,
    Card,
    As,
    Steps,
    In,
    Except,
    /// "should he come, ...": an if where it begins a sentence, else nothing.
    Should,
    /// "instead of Riga"
    Instead,
    /// Words that bend the sense of what stands before them; never passed over.
    Bends,
    /// Words that neither add nor take away.
    Filler,
}

/// What a word or a name of several words is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Term {
    Verb(Verb),
    Small(Small),
    Kind(Kind),
    Number(u32),
}

/// The lexicon, made once.
pub(super) fn lexicon() -> &'static Names<Term> {
    static MADE: OnceLock<Names<Term>> = OnceLock::new();
    MADE.get_or_init(|| {
        let mut names = Names::default();
        for (term, words) in VERBS.iter().map(|(v, w)| (Term::Verb(*v), *w)).chain(rest()) {
            for word in words.split('|') {
                names.add_words(words_of(word), term);
            }
        }
        names
    })
}

fn rest() -> impl Iterator<Item = (Term, &'static str)> {
    let small = SMALL.iter().map(|(s, w)| (Term::Small(*s), *w));
    let kinds = KINDS.iter().map(|(k, w)| (Term::Kind(*k), *w));
    let numbers = NUMBERS.split('|').zip(1..).map(|(word, n)| (Term::Number(n), word));
    small.chain(kinds).chain(numbers)
}

/// Whether a single unknown word may stand for a name that is shortened or misspelt: not if it is a word of everyday English.
pub(super) fn may_be_a_name(word: &str) -> bool {
    static MADE: OnceLock<std::collections::BTreeSet<&'static str>> = OnceLock::new();
    !MADE.get_or_init(|| EVERYDAY.split_whitespace().collect()).contains(word)
}

/// A unit by number, for names that several tables share.
pub(super) type UnitName = (String, UnitId);

const VERBS: &[(Verb, &str)] = &[
    (
        Verb::March,
        "march|marches|marching|marched|cross|crosses|crossing|move|moves|moving|mv|mvs|go|goes|going|advance|advances|advancing|ride|rides|riding|\
         proceed|proceeds|head|heads|heading|come|comes|travel|travels|transfer|transfers|return|returns|returning|send|sends|\
         sending|shift|shifts|hurry|hurries|push on|pushes on|set out|sets out|withdraw|withdraws|withdrawing|pull back|\
         pulls back|redeploy|redeploys|go back|goes back|come back|comes back|move up|moves up|set off|sets off|move on|walk|walks|walking",
    ),
    (Verb::Take, "take|takes|taking|bring|brings|bringing|lead|leads|leading|conduct|conducts|collect|collects"),
    (
        Verb::Forced,
        "forced march|forced marches|force march|force marches|force marching|forced|by forced march|by forced marches|\
         at a forced march|in forced march|in forced marches|at forced pace|double march|at the double|by a forced march|in a forced march|forcemarch|fm|forcemarches|\
         forcedmarch|march hard|marches hard",
    ),
    (
        Verb::Sail,
        "sail|sails|sailing|by sea|by ship|by ships|by fleet|by boat|over sea|over the sea|across the sea|embark|embarks|aboard|\
         aboard the transports|on the transports|ship to|ships to|by transport|by transports|via transports|with the fleet|via sea|cruise|cruises|ferry|ferries",
    ),
    (
        Verb::Besiege,
        "besiege|besieges|besieging|beseige|beseiges|beseiging|lay siege|lays siege|laying siege|lay siege to|lays siege to|invest|invests|siege|sieges|\
         keep up the siege|keeps up the siege|continue the siege|continues the siege|keep besieging|keeps besieging|\
         go on besieging|goes on besieging|go on with the siege|goes on with the siege|begin the siege|begin a siege|start a siege|maintain the siege|continue to besiege|start the siege|siege of|under siege|press the siege",
    ),
    (
        Verb::Storm,
        "storm|storms|storming|assault|assaults|assaulting|enter|enters|entering|take by storm|takes by storm|\
         escalade|escalades|go in|goes in|break in|breaks in|storm in|march in|marches in|take it by storm|takes it by storm|carry by storm",
    ),
    (
        Verb::Capture,
        "capture|captures|capturing|seize|seizes|seizing|occupy|occupies|occupying|conquer|conquers|retake|retakes",
    ),
    (Verb::Attack, "attack|attacks|attacking|strike at|strikes at|fall upon|falls upon|engage|engages|assail|assails"),
    (
        Verb::Raise,
        "raise the siege|raises the siege|lift the siege|lifts the siege|break off the siege|breaks off the siege|\
         abandon the siege|abandons the siege|give up the siege|gives up the siege|end the siege|ends the siege|stop the siege|raise siege|lift siege|stop besieging|stops besieging",
    ),
    (
        Verb::Sortie,
        "sortie|sorties|make a sortie|makes a sortie|sally|sallies|sally out|sallies out|sally forth|sallies forth|sortie from|sorties from",
    ),
    (
        Verb::JoinRelief,
        "join the relief|joins the relief|join relief|joins relief|join the relieving army|joins the relieving army|\
         come out to join the relief|comes out to join the relief|help the relief|helps the relief|join in the relief",
    ),
    (Verb::Relieve, "relieve|relieves|relieving"),
    (
        Verb::Fight,
        "give battle|gives battle|giving battle|offer battle|offers battle|accept battle|accepts battle|fight|fights|fighting|\
         seek battle|seeks battle|battle|do battle|join battle|joins battle|fight there|will fight|offer a battle|take battle|stand and fight|stands and fights|give a battle",
    ),
    (
        Verb::Avoid,
        "avoid battle|avoids battle|avoiding battle|avoid|avoids|refuse battle|refuses battle|decline battle|declines battle|\
         evade battle|evades battle|evade|evades|avoid fighting|avoids fighting|avoid combat|avoids combat|no battle|no battles|no fighting|shun battle|shuns battle|avoid a battle|avoids a battle|refuse a battle|\
         avoid all battles|avoid all battle|avoid any battle|refuse to fight|refuses to fight|decline to fight|declines to fight",
    ),
    (Verb::Retreat, "retreat|retreats|retreating|break off|breaks off|leave the field|leaves the field"),
    (Verb::FallBack, "fall back|falls back|falling back|give way|gives way"),
    (
        Verb::ToTheLast,
        "to the last|to the last man|hold to the last|holds to the last|hold to the last man|holds to the last man|\
         fight to the last|fights to the last|fight to the last man|fights to the last man|stand to the last|stands to the last|\
         no retreat|no retreats|never retreat|never retreats|to the death|fight to the death|fights to the death|hold at all costs|holds at all costs|\
         hold out to the last|holds out to the last|hold till the last|holds till the last|hold to the end|holds to the end|fight to the end|fights to the end|to the bitter end|hold out to the end|resist to the last|resists to the last|stand and die|at all costs|never surrender",
    ),
    (
        Verb::Hold,
        "hold|holds|holding|stay|stays|staying|remain|remains|remaining|stand|stands|standing fast|stand fast|stands fast|stand firm|\
         stands firm|stand still|stands still|wait|waits|sit|sits|stay put|stays put|do nothing|does nothing|no move|no moves|halt|halts|\
         keep still|keeps still|guards the|guard the|defend|defends|hold position|holds position|hold positions|stand pat|stay where they are|stays where it is|\
         stays where he is|stay where you are|stand by|stay behind|stays behind|hold fast|holds fast|hold firm|holds firm|hold the line|goes nowhere|go nowhere|rests|resting|sits tight|sit tight|idles|encamps|encamp|camps|h|lies still|lie still",
    ),
    (
        Verb::Build,
        "build|builds|building|deploy|deploys|deploying|form|forms|muster|musters|mustering|field|fields|bld|set up|raise|raises|raising",
    ),
    (
        Verb::Buy,
        "buy|buys|buying|purchase|purchases|purchasing|recruit|recruits|recruiting|order up|spend on|acquire|acquires",
    ),
    (Verb::CallUp, "call up|calls up|call out|call in|call|calls|summon|summons"),
    (Verb::Levies, "levies|levy|feudal levies|feudal levy|feudal troops|feudals|the feudal host"),
    (Verb::ActionCard, "action card|action cards|action|ac|actioncard|movement card"),
    (Verb::Play, "play|plays|playing|use|uses|using|put down|lay down"),
    (Verb::Event, "event|events|event card|event cards"),
    (Verb::Supply, "supply card|supply cards|supply|supplies|supply event|reinforcement card"),
    (Verb::Discard, "discard|discards|throw in|throw away|throws in"),
    (
        Verb::War,
        "declare war|declares war|declare war on|declares war on|war on|war with|war against|go to war with|declaration of war|make war on",
    ),
    (
        Verb::Peace,
        "offer peace|offers peace|make peace|makes peace|peace|propose peace|proposes peace|offer a peace|peace offer|offer of peace|ask for peace|sue for peace|seek peace",
    ),
    (
        Verb::Passage,
        "grant passage|grants passage|give passage|gives passage|allow passage|passage|free passage|right of passage|grant free passage|offer passage|give free passage|let through|permit passage",
    ),
    (Verb::Let, "offer|offers|grant|grants|let|lets|allow|allows|permit|permits"),
    (Verb::Pass, "pass|pass through|to pass|to pass through|pass freely|cross my land|cross my lands"),
    (
        Verb::Cede,
        "cede|cedes|give|gives|hand over|hands over|hand|hands|give up|yield|yields|surrender|surrenders|turn over|turns over|make over",
    ),
    (
        Verb::HitsFirst,
        "take hits first|takes hits first|take the hits first|takes the hits first|hits first|hits first on|hits first to|hits go first to|\
         hits go to|hits on|hits to|take hits on|take losses first|takes losses first|losses first|losses first on|losses first from|losses on|losses go first to|take losses on|\
         take the losses first|takes the losses first|take the first hits|takes the first hits|take the first hit|takes the first hit|first hits to|first hits on|hit first|lose first|loses first|hits to be taken first by|losses fall first on|hits fall first on",
    ),
    (
        Verb::FeedFirst,
        "feed first|feeds first|feed|feeds|shelter first|shelter|shelters first|are fed first|is fed first|fed first|food first|food first to|food first for|\
         be fed first|be sheltered first|is sheltered first|are sheltered first|stay inside first|stays inside first|sheltered first|winter inside first|shelter first to|shelter first for|house first|houses first|eats first|eat first",
    ),
    (
        Verb::Standing,
        "standing|standing order|standing orders|as a standing order|as standing order|as standing orders|until further notice|till further notice|standing instruction|standing instructions|always",
    ),
    (
        Verb::Withdraw,
        "withdraw order|withdraw orders|cancel|cancels|strike|strikes out|strike out|delete|revoke|scrap|cancel order|cancel orders|strike order|strike orders|delete order|delete orders|withdraw order no|withdraw line|cancel line|drop order|cancelled|canceled|withdrawn|struck|forget|withdraw my order|scratch|forget order|rescind|countermand",
    ),
    (
        Verb::GoOn,
        "go on|goes on|go on to|goes on to|press on|presses on|continue|continues|press on to|presses on to|continue to|continues to|march on to|marches on to|pursue|pursues|pursue to|pursues to|advance on to|carry on|carries on|carry on to|carries on to|exploit to|exploits to|pushes on to|push on to",
    ),
    (
        Verb::Naval,
        "bombard|bombards|bombarding|bombardment|shore bombardment|intercept|intercepts|intercepting|interception|blockade|blockades|blockading|land at|lands at|landing at|amphibious|amphibious attack|amphibious landing|disembark|disembarks|put to sea|puts to sea",
    ),
];

const SMALL: &[(Small, &str)] = &[
    (
        Small::To,
        "to|zu|zum|na|into|onto|toward|towards|unto|nach|as far as|up to|till|back to|over to|on to|down to|headed for|bound for|up from to|for the city of",
    ),
    (
        Small::From,
        "leaves|leave|leaving|departs|departs from|leaves from|sets out from|from|iz|aus|von|out of|off|starting from|starting at",
    ),
    (
        Small::Via,
        "via|through|by way of|across|past|passing|passing through|passing by|going through|by the way of|going via|marching through|marching via|going by|on the way through|over by way of",
    ),
    (Small::At, "at|near|around|beside|in front of|before|by the city of"),
    (Small::In, "in|inside|within"),
    (
        Small::With,
        "with|w|together with|along with|as well as|accompanied by|including|plus|taking along|takes along|incl",
    ),
    (Small::By, "by"),
    (Small::On, "on|onto the|upon"),
    (Small::Of, "of"),
    (Small::Under, "under|led by|commanded by|under the command of|under command of"),
    (Small::Behind, "who stays|who stays behind|who remains|who remains behind|who stays there"),
    (Small::Against, "against|versus|vs"),
    (Small::For, "for"),
    (Small::Over, "over"),
    (Small::Along, "along|down|up|upstream|downstream|downriver|upriver"),
    (
        Small::River,
        "by river|by the river|by river boat|by river boats|by barge|by barges|river move|river movement|rivermove|on the river|by water|over the river by boat|by riverboat|on barges|along the river|down the river|up the river|down river|up river",
    ),
    (
        Small::There,
        "there|here|where they are|where it is|where he is|where you are|where they stand|where it stands|where he stands|where she is|in place|in position|in its city|in their city|in their cities|in the city|inside the city|inside the walls|put|fast|firm|on the spot|in situ|at home",
    ),
    (
        Small::Outside,
        "outside|in the field|outside the city|outside the walls|in the open|stand outside|stay outside|stays outside|stands outside|camp outside|camps outside|stay in the field|stays in the field|stand in the field|stands in the field|without entering|without entering the city|without besieging|remain outside|remains outside|do not enter|does not enter",
    ),
    (Small::And, "and|und|och"),
    (Small::But, "but|however|yet|though|although|aber"),
    (Small::Or, "or|alternatively|respectively"),
    (Small::Then, "then|afterwards|next to that|after that|and then"),
    (Small::So, "so|therefore|hence|thus"),
    (Small::If, "if|in case|provided|provided that|wenn|as long as|assuming|should it be that"),
    (Small::Unless, "unless|except if"),
    (Small::Because, "because|since|in order to|so that|as he|as they|as we|as i|for he|so as to"),
    (
        Small::Not,
        "not|never|dont|doesnt|do not|does not|shall not|must not|should not|will not|wont|cannot|may not|mustnt|shouldnt|is not to|are not to",
    ),
    (Small::No, "no|none|without|nothing|nil"),
    (Small::All, "all|every|whole|entire|complete|all of|full|all the|the whole|all my"),
    (
        Small::Everyone,
        "everyone|everybody|everything|all units|all troops|all brigades|all armies|all my armies|all forces|all hands|the whole army|all of them|all men|all my men|all my troops|co|company|all my units|all my brigades|all my forces",
    ),
    (Small::Nobody, "nobody|no one|noone|none of them|no unit|no units|no army|no brigade|no brigades"),
    (Small::His, "his|her|their|its"),
    (
        Small::He,
        "the place|that place|this place|the town|that town|the fortress|he|she|they|it|him|them|himself|themselves|itself",
    ),
    (
        Small::Rest,
        "rest|others|remainder|all the rest|the others|all the others|all others|everything else|everyone else|everybody else|all else|all other units|all other troops|remaining brigades|remaining troops|other brigades|rest of them",
    ),
    (Small::Army, "army|corps|column|force|forces|host|command|detachment|armies"),
    (
        Small::Brigades,
        "brigades|brigade|brig|brigs|troops|men|units|unit|soldiers|regiments|regiment|regt|regts|reg|regs|battalions|squadrons|people|folk|fellows|boys",
    ),
    (Small::Garrison, "g|garrison|garrisons|garr|gar|defenders"),
    (
        Small::Alone,
        "alone|by himself|all alone|without troops|without brigades|without his brigades|without his army|without his men|unaccompanied|on his own|solo|leader only|only the leader|without anyone|without anybody|by herself",
    ),
    (
        Small::Own,
        "on their own|on its own|by itself|by themselves|as a brigade move|as brigade moves|independently|separately|brigade move|brigade moves|without a leader|without leader",
    ),
    (Small::First, "first|foremost|at first"),
    (
        Small::Most,
        "as many as possible|as much as possible|as many as i can|as many as we can|max|maximum|as many as i can afford|as many as the bank allows",
    ),
    (Small::Named, "named|called|to be called|to be named|name|by the name of|calling it|name it|call it"),
    (Small::Highest, "highest|best|biggest|largest|strongest|top|highest valued|greatest|highest numbered"),
    (Small::Lowest, "lowest|worst|smallest|least|weakest|lowest valued|lowest numbered"),
    (Small::Any, "any|whichever|whatever|any old"),
    (Small::Serial, "nr|serial|number|serial no|serial number|num"),
    (Small::Card, "card|cards"),
    (Small::As, "as|like"),
    (Small::Steps, "step|steps"),
    (Small::Should, "should"),
    (Small::Instead, "instead of|rather than|in place of"),
    (
        Small::Except,
        "except|except for|excepting|save|save for|but not|other than|apart from|all but|minus|with the exception of|leaving out|excluding|less",
    ),
    (
        Small::Bends,
        "only|and back|and return|and back again|until|when|whenever|while|after|later|next|next turn|instead|either|maybe|perhaps|might|could|possibly|\
         consider|considering|would|otherwise|else|rather|almost|nearly|half of|some|some of|part of|most of|tomorrow|next year|once|\
         next season|whether|neither|nor|hardly|barely|pretend|imagine|suppose|thinking|probably|eventually|unlikely|optionally|last turn|last year|already|ago|did|had|was|were|been|yesterday|hopefully|hope|wish|wonder|previously|former|formerly|signed|concluded|ratified|ever|alternate|why|what|who|how|where|can|ought",
    ),
    (
        Small::Filler,
        "the|a|an|p s|ps|please|pls|plz|my|our|your|i|we|us|me|you|now|just|also|too|quickly|immediately|at once|straight|directly|off course|of course|\
         shall|will|is to|are to|must|may|is|are|am|be|has to|have to|do|does|to please|want|wants|would like|id like|i would like|i want|order|orders|ordered|command that|let us|tell|\
         this turn|this spring|this summer|this fall|this autumn|this winter|this season|der|die|das|old|good|brave|dear|each|both|own|back|away|forward|forth|again|as well|still|quietly|slowly|gently|today|city|town|fortress|fort|hex|castle|village|\
         itself too|very|much|there is|general|prince|duke|count|king|marshal|field marshal|colonel|herr|mr|sir|lord|everywhere|ok|okay|well|oh|yes|i hereby|hereby|thanks|thank you|cheers|kindly|ok then|also to|over there|on foot|on horseback|on horse|please to|turn|for now|as usual|as before|proceed to|proceeds to|that|this|which|in turn|finally|lastly|secondly|firstly|afterward|have|has|got|same|time|together|along too|as ordered|if you please|if you would|round|same turn|s|siege lines|worth|worth of|new|fresh|more|another|extra|full strength|make sure|see to it|need|needs|sure|only just|simply|at the same time|meanwhile|in the meantime|both of them|it is",
    ),
];

const KINDS: &[(Kind, &str)] = &[
    (
        Kind::Infantry,
        "infantry|inf|infs|foot|infantries|infantry brigade|infantry brigades|inf brigade|inf brigades|brigade of infantry|brigades of infantry|brigade of foot|brigades of foot|foot brigade|foot brigades|infantry regiment|infantry regiments|footmen",
    ),
    (
        Kind::Guards,
        "guards|guard|gds|guards brigade|brigade of guards|brigades of guards|guard brigade|guards brigades|foot guards",
    ),
    (
        Kind::Cavalry,
        "cavalry|cav|cavs|horse|cavalry brigade|cavalry brigades|cav brigade|cav brigades|brigade of cavalry|brigades of cavalry|brigade of horse|brigades of horse|horsemen|cavalry regiment|cavalry regiments|cavlry|cavalery|calvary",
    ),
    (
        Kind::Dragoons,
        "dragoons|dragoon|drag|drags|drgs|dragoon brigade|dragoon brigades|dragoons brigade|brigade of dragoons|brigades of dragoons",
    ),
    (
        Kind::Cossacks,
        "cossacks|cossack|coss|cossack brigade|cossack brigades|brigade of cossacks|brigades of cossacks|kossacks",
    ),
    (Kind::FeudalFoot, "feudal foot"),
    (Kind::FeudalHorse, "feudal horse"),
    (
        Kind::Ships,
        "ships|ship|ships of the line|ship of the line|sol|warship|warships|line ships|step of ships|steps of ships",
    ),
    (Kind::Galleys, "galleys|galley|step of galleys|steps of galleys"),
    (
        Kind::Transports,
        "transports|transport|trans|transp|transport ship|transport ships|transport fleet|step of transports|steps of transports",
    ),
    (Kind::BaggageTrain, "baggage train|baggage trains|train|trains|baggage|supply train|supply trains|wagon train"),
];

const NUMBERS: &str = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve";

/// Everyday words that happen to begin like a name or to be a slip away from one.
const EVERYDAY: &str = "the and for not you all can her was one our out day get has him his how man new now old see two way who boy did its \
    let put say she too use that with have this will your from they know want been good much some time very when come here just \
    like long make many more only over such take than them well were what hello hi dear regards greetings umpire yes but any are \
    had may off own set try why ask bad bed big bit car cut due end eye far few fun got hot job kid lay led leg lie lot low mad \
    men met mom nor odd oil pay per red rid row run sad sat sea sir sit six sky son sun tax tea ten tip top war wet win won yet \
    about after again always because before being below better both bring call came cold could does done down each even ever \
    every find first give going gone great hand hard hear held help high home hope into keep kind last late left less life line \
    list live look made mean mind most move must name near need never next nice note once open order orders other part past plan \
    play please point poor read ready real rest right said same send sent short show side since soon stand start stay still stop \
    sure tell thank thanks then there these thing think those though three till today told turn under until upon wait want weak \
    week went where which while white whole wide wish word work world would write year years snow rain winter summer spring fall \
    autumn action card cards event events turn letter mail message season game cheers best friend friends dearest respectful \
    sincerely phone sent iphone mobile android wrote according happy merry crown crowns king kings tsar czar lord god men man \
    march army armies brigade brigades troops unit units leader leaders enemy enemies foe foes battle battles siege city cities \
    hex hexes river rivers side sides border road roads money bank men pool purchase peace treaty ally allies alliance luck \
    sorry wife lunch dinner packing bags somebody anybody everybody someone anyone nothing something anything really quite \
    gruss gruesse hallo moin hej salut bonjour mit und der die das den dem von zum zur auf alle aber nicht auch noch wird \
    dos des les una por para con sin med och att det som fra til ikke men yours faithfully kindly cannot doesnt dont isnt wont \
    lands land regard regarding bears bear believe received receipt looking forward question questions answer answers \
    attached herewith hereby follows follow following below above see also etc bye later tonight morning evening afternoon \
    monday tuesday wednesday thursday friday saturday sunday january february april may june july september october november december \
    are human walk bar moon bug don luck roman hammer los used care cause media art west star gold park press hey paid hate born lol \
    mark wall sort link sold lady pre pro lack trip cell hall pop ran app fat fell wind bus hill mid rose draw dude ring rise bag \
    camp cat wake file dry arm lies fuel ill jump sets user era fill salt sees wars guest plot mess ban chose calm raw grab tall \
    cap gap tons gross tag anger lab solve tho ups vol bid pot yep log lips rap ads mask bat bow dec tap mars pit rip worn vary \
    bin pic lit pie ram lap dam jam rat ash salad horn rod bend lip mere dive ham grip \
    state women water level wrong woman market front board match range stage legal earth truth hotel brain older secret telling \
    grand machine block notes worry brand scale throw selling grade stone users birth garden labor lucky cells willing homes noted \
    stuck device grown hoping route laugh faster smile novel stores humans random afford noise sight hidden brief marked tower \
    pride rough smell rescue loose moral bonus horses clock label naked reveal stolen cares elite angle forum ratio scary salary \
    strip breast crossed swing manual triple slide relax margin brick outer divine neutral wider baker maker rangers stole hated \
    poster grain rival stored suite bless shine shade hates stake nurses tribe cared means become became \
    strange danger stronger longer harder larger change charge charges chance orange arrange waiting wanted walked landed";
